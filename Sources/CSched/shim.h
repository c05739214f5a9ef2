// Which cores a thread may use is in no module of the toolchain's: glibc declares it for _GNU_SOURCE alone (sched_setaffinity(2)).
#pragma once
#if defined(__linux__)
#include <stddef.h>
int sched_getaffinity(int thread, size_t count, void *cores);
int sched_setaffinity(int thread, size_t count, const void *cores);
#endif
