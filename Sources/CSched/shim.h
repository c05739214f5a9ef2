// Which cores a thread may use is in no module of the toolchain's: glibc declares it for _GNU_SOURCE alone
// (sched_setaffinity(2)). The names are this program's, so that they clash with no declaration.
#pragma once
#if defined(__linux__)
#include <stddef.h>
int scurry_getaffinity(int thread, size_t count, void *cores) __asm__("sched_getaffinity");
int scurry_setaffinity(int thread, size_t count, const void *cores) __asm__("sched_setaffinity");
#endif
