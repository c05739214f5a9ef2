// libsodium is a system library: this header exists so that the module map has one to name.
#pragma once
#include <sodium.h>
