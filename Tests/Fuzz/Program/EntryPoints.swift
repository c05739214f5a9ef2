internal import CountedHeap

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What libFuzzer calls once: chooses the target by `FUZZ_TARGET`, and runs it once so that its tables are made.
@_cdecl("LLVMFuzzerInitialize")
public func prepareFuzzing(_ count: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }), let chosen = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
        broken("FUZZ_TARGET is one of: \(names)")
    }
    target = chosen
    chosen.run([])
    return 0
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    counted_heap_begin()
    target.run(bytes)
    let peak = counted_heap_peak()
    if let limit = target.memoryLimit(for: count), peak > limit {
        broken("\(peak) bytes were allocated at once for an input of \(count); the limit is \(limit)")
    }
    return 0
}

/// Set once, before the first input.
nonisolated(unsafe) private var target = FuzzTarget.frame

/// Ends the run: libFuzzer keeps the input. A precondition would say nothing in a release build.
func broken(_ what: String) -> Never {
    fatalError(what)
}
