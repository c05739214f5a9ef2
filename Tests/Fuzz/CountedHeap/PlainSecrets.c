// libsodium's memory for secrets, as plain memory: pages with guards cost a dozen system calls for each secret that is no key,
// and for each page of keys.

#include <stddef.h>
#include <stdlib.h>

void *sodium_malloc(size_t size) { return malloc(size); }

void sodium_free(void *place) { free(place); }
