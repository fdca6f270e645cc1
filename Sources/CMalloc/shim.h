// SPDX-License-Identifier: Apache-2.0
// mallopt and malloc_trim of glibc, which Swift's own module of it leaves out.
#include <malloc.h>
