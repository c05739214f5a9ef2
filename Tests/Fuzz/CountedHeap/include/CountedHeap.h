#include <stddef.h>

/// Begins to count anew.
void counted_heap_begin(void);

/// The most bytes that were on the heap at once since, beyond what was there at the beginning.
ptrdiff_t counted_heap_peak(void);
