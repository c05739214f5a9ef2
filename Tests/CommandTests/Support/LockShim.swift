import Foundation
import Testing

/// A file system whose locks are wrong, played by a library that a program is started with.
enum LockShim: String, CaseIterable {
    /// As where a server keeps none.
    case homeRefused
    /// Each process gets what it asks for.
    case homeIdle
    /// Those of SQLite.
    case recordsRefused

    static let isPossible: Bool = {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
        #else
            false
        #endif
    }()

    /// Compiles it; the variables that a program is started with.
    func variables(in folder: ShortFolder) throws -> [String: String] {
        try folder.write(Self.text, to: "\(rawValue).c")
        let library = folder.file("\(rawValue).so")
        try Shell.run(
            "/usr/bin/cc",
            "-shared",
            "-fPIC",
            "-D\(rawValue)",
            "-o",
            library,
            folder.file("\(rawValue).c"),
            "-ldl"
        )
        return ["LD_PRELOAD": library]
    }

    private static let text = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>

        #ifdef homeRefused
        int flock(int file, int operation) { errno = ENOLCK; return -1; }
        #endif
        #ifdef homeIdle
        int flock(int file, int operation) { return 0; }
        #endif
        #ifdef recordsRefused
        static int call(const char *name, int file, int command, void *argument) {
            if (command == F_SETLK || command == F_SETLKW) { errno = ENOLCK; return -1; }
            int (*next)(int, int, ...) = dlsym(RTLD_NEXT, name);
            return next(file, command, argument);
        }
        #define ARGUMENT va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list);
        int fcntl(int file, int command, ...) { ARGUMENT return call("fcntl", file, command, argument); }
        int fcntl64(int file, int command, ...) { ARGUMENT return call("fcntl64", file, command, argument); }
        #endif

        """
}
