// What glibc says of its malloc is in no module of the toolchain's.
#pragma once
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
