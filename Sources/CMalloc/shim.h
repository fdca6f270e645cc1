// SPDX-License-Identifier: Apache-2.0
// mallopt and malloc_trim of glibc, which Swift's own Glibc module omits.
#include <malloc.h>
