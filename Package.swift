// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// Tests run optimized code (`make test`), but are not optimized themselves: that takes longer than they do.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// A target exists where the compiler should forbid something: only `Sodium` reaches libsodium, `Sync` and `Storage`
// never see each other, and only programs print.
let package = Package(
    name: "scurry",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "scurry", targets: ["scurry"]),
        .executable(name: "bench", targets: ["bench"]),
        .executable(name: "simulate", targets: ["simulate"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
        ),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSched"),
        .target(
            name: "Sodium",
            dependencies: ["CSodium", .product(name: "NIOConcurrencyHelpers", package: "swift-nio")],
            swiftSettings: strict
        ),
        .target(
            name: "Entries",
            dependencies: ["Sodium", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "Entries", "Sodium",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Sync",
            dependencies: ["Entries", "Sodium", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            swiftSettings: strict
        ),
        .target(
            name: "Transport",
            dependencies: [
                "Sync", "Storage", "Entries", "Sodium", "CMalloc", "CSched",
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "scurry",
            dependencies: [
                "Transport", "Sync", "Storage", "Entries", "Sodium",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Simulation",
            dependencies: ["Sync", "Storage", "Entries", "Sodium"],
            exclude: ["README.md", "FOUND.md"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "bench",
            dependencies: [
                "Transport", "Storage", "Sync", "Entries", "Sodium",
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "simulate",
            dependencies: ["Simulation", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict
        ),
        .target(name: "TestSupport", dependencies: ["Entries", "Sodium"], path: "Tests/Support", swiftSettings: tests),
        .testTarget(name: "SodiumTests", dependencies: ["Sodium", "TestSupport"], swiftSettings: tests),
        .testTarget(name: "EntriesTests", dependencies: ["Entries", "Sodium", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Storage", "Simulation", "Entries", "Sodium", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SyncTests",
            dependencies: ["Sync", "Simulation", "Storage", "Entries", "Sodium", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation", "Sync", "Storage", "Entries", "Sodium", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "Transport", "Sync", "Storage", "Entries", "Sodium", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "scurry", "Transport", "Sync", "Storage", "Entries", "Sodium", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests
        ),
    ]
)

// The fuzzer's program has no main function of its own, and tests what is internal: `make fuzz` builds it, elsewhere.
if Context.environment["SCURRY_FUZZ"] != nil {
    package.targets += [
        .target(name: "CountedHeap", path: "Tests/Fuzz/CountedHeap"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CountedHeap", "Transport", "Simulation", "Sync", "Storage", "Entries", "Sodium"],
            path: "Tests/Fuzz/Program",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        ),
    ]
}
