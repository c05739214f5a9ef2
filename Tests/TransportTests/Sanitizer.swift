#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whether a sanitizer looks on (`make sanitize`): everything takes several times as long then, and a node's own
/// deadlines of a second say nothing.
enum Sanitizer {
    static let isPresent: Bool = {
        let program = dlopen(nil, RTLD_LAZY)
        return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
    }()
}
