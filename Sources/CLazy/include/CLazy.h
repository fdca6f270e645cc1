// SPDX-License-Identifier: Apache-2.0
// Functions of a shared library that is loaded on the first call to one of them, so that a program that does
// not use the library does not need it installed and spends no memory on it.
#ifndef CLAZY_H
#define CLAZY_H

#include <stdbool.h>

struct lazy_library {
  // The library's file name, such as "libpq.so.5".
  const char *name;
  void *handle;
};

// Loads the library. Returns false if it is not installed or cannot be loaded.
bool lazy_library_load(struct lazy_library *library);

// Returns true if the library is installed and has the function. An older version may lack it.
bool lazy_library_has(struct lazy_library *library, const char *name);

// Returns a function of the library. If the library is missing, ends the program with a plain message, so call
// lazy_library_load first and refuse there.
void *lazy_library_function(struct lazy_library *library, const char *name);

// Defines the function NAME, declared in the library's own header, as a call to the one in LIBRARY. It is
// hidden, so that the library does not use it instead of its own.
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
