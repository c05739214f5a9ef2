import Foundation
import Testing

/// A disk that breaks when one folder is listed, played by a library that a program is started with.
enum ListingShim {
    /// Compiles it; the variables that a program is started with.
    static func variables(for place: String, in folder: ShortFolder) throws -> [String: String] {
        try folder.write(text, to: "listing.c")
        let library = folder.file("listing.so")
        try Shell.run("/usr/bin/cc", "-shared", "-fPIC", "-o", library, folder.file("listing.c"), "-ldl")
        return ["LD_PRELOAD": library, "UNLISTED": place]
    }

    private static let text = """
        #define _GNU_SOURCE
        #include <dirent.h>
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdlib.h>
        #include <sys/stat.h>

        struct dirent *readdir(DIR *folder) {
            struct stat facts, place;
            const char *name = getenv("UNLISTED");
            if (name && stat(name, &place) == 0 && fstat(dirfd(folder), &facts) == 0
                && facts.st_dev == place.st_dev && facts.st_ino == place.st_ino) {
                errno = EIO;
                return NULL;
            }
            struct dirent *(*next)(DIR *) = dlsym(RTLD_NEXT, "readdir");
            return next(folder);
        }

        """
}
