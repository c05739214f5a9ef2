// What is on the heap is counted by the program's own malloc, in front of the C library's (glibc's names for it); beside the
// address sanitizer, which has the heap for itself, by its hooks. With several threads the figure is near enough: the
// targets that are bounded have one.

#include "CountedHeap.h"

static ptrdiff_t live;
static ptrdiff_t highest;

static void came(size_t size) {
    live += (ptrdiff_t)size;
    if (live > highest) highest = live;
}

ptrdiff_t counted_heap_peak(void) { return highest; }

#if __has_feature(address_sanitizer)

#include <sanitizer/allocator_interface.h>

static void hook_came(const volatile void *place, size_t size) { came(size); }

static void hook_goes(const volatile void *place) { live -= (ptrdiff_t)__sanitizer_get_allocated_size(place); }

void counted_heap_begin(void) {
    static int is_hooked;
    if (!is_hooked) is_hooked = __sanitizer_install_malloc_and_free_hooks(hook_came, hook_goes);
    live = 0;
    highest = 0;
}

#else

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *place, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *place);

static void *counted(void *place) {
    if (place) came(malloc_usable_size(place));
    return place;
}

static void goes(void *place) {
    if (place) live -= (ptrdiff_t)malloc_usable_size(place);
}

void counted_heap_begin(void) {
    live = 0;
    highest = 0;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *place, size_t size) {
    goes(place);
    return counted(__libc_realloc(place, size));
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    *place = counted(__libc_memalign(alignment, size));
    return *place ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void free(void *place) {
    goes(place);
    __libc_free(place);
}

#endif
