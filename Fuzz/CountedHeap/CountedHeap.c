// The program's own malloc, in front of the C library's (glibc's names for it), counts what is there. With several threads
// the figure is near enough: the targets that are bounded have one.

#include "CountedHeap.h"

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *place, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *place);

static ptrdiff_t live;
static ptrdiff_t highest;

static void *came(void *place) {
    if (place) {
        live += (ptrdiff_t)malloc_usable_size(place);
        if (live > highest) highest = live;
    }
    return place;
}

static void goes(void *place) {
    if (place) live -= (ptrdiff_t)malloc_usable_size(place);
}

void counted_heap_begin(void) {
    live = 0;
    highest = 0;
}

ptrdiff_t counted_heap_peak(void) { return highest; }

void *malloc(size_t size) { return came(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return came(__libc_calloc(count, size)); }

void *realloc(void *place, size_t size) {
    goes(place);
    return came(__libc_realloc(place, size));
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    *place = came(__libc_memalign(alignment, size));
    return *place ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size) { return came(__libc_memalign(alignment, size)); }

void free(void *place) {
    goes(place);
    __libc_free(place);
}
