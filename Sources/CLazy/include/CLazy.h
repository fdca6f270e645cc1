// SPDX-License-Identifier: Apache-2.0
// Functions of a shared library that is loaded when the first of them is called, so that a program that does
// not use it neither needs it installed nor spends memory on it.
#ifndef CLAZY_H
#define CLAZY_H

#include <stdbool.h>

struct lazy_library {
  // Its file name, such as "libpq.so.5".
  const char *name;
  void *handle;
};

// Loads the library. Returns false where it is not installed or cannot be loaded.
bool lazy_library_load(struct lazy_library *library);

// Returns a function of the library. The program ends with a plain line where it is missing: call
// lazy_library_load first and refuse there.
void *lazy_library_function(struct lazy_library *library, const char *name);

// Defines the function NAME, declared in the library's own header, as a call of the one in LIBRARY. It is
// hidden, so that the library does not find it in place of its own.
#define LAZY_FUNCTION(library, result, name, parameters, arguments)              \
  __attribute__((visibility("hidden"))) result name parameters {                 \
    static __typeof__(&name) loaded;                                             \
    __typeof__(&name) function = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);     \
    if (!function) {                                                             \
      function = (__typeof__(&name))lazy_library_function(library, #name);       \
      __atomic_store_n(&loaded, function, __ATOMIC_RELEASE);                     \
    }                                                                            \
    return function arguments;                                                   \
  }

#endif
