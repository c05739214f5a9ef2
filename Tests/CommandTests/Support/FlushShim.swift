import Foundation
import Testing

/// A disk that does not keep what is entered in one folder, played by a library that a program is started with.
enum FlushShim {
    /// Compiles it; the variables that a program is started with.
    static func variables(for place: String, in folder: ShortFolder) throws -> [String: String] {
        try folder.write(text, to: "flush.c")
        let library = folder.file("flush.so")
        try Shell.run("/usr/bin/cc", "-shared", "-fPIC", "-o", library, folder.file("flush.c"), "-ldl")
        return ["LD_PRELOAD": library, "UNFLUSHED": place]
    }

    private static let text = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdlib.h>
        #include <sys/stat.h>

        int fsync(int file) {
            struct stat facts, place;
            const char *name = getenv("UNFLUSHED");
            if (name && stat(name, &place) == 0 && fstat(file, &facts) == 0
                && facts.st_dev == place.st_dev && facts.st_ino == place.st_ino) {
                errno = EIO;
                return -1;
            }
            int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
            return next(file);
        }

        """
}
