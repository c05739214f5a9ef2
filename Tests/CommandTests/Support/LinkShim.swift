import Foundation
import Testing

/// A file system without hard links, and with one name that nothing can be renamed to, played by a library that a
/// program is started with.
enum LinkShim {
    /// Compiles it; the variables that a program is started with.
    static func variables(refusing place: String, in folder: ShortFolder) throws -> [String: String] {
        try folder.write(text, to: "link.c")
        let library = folder.file("link.so")
        try Shell.run("/usr/bin/cc", "-shared", "-fPIC", "-o", library, folder.file("link.c"), "-ldl")
        return ["LD_PRELOAD": library, "UNNAMED": place]
    }

    private static let text = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdlib.h>
        #include <string.h>

        int link(const char *from, const char *to) {
            errno = EPERM;
            return -1;
        }

        int rename(const char *from, const char *to) {
            const char *name = getenv("UNNAMED");
            if (name && strcmp(name, to) == 0) {
                errno = EIO;
                return -1;
            }
            int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            return next(from, to);
        }

        """
}
