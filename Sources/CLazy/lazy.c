// SPDX-License-Identifier: Apache-2.0
#include "CLazy.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

bool lazy_library_load(struct lazy_library *library) {
  void *handle = __atomic_load_n(&library->handle, __ATOMIC_ACQUIRE);
  if (handle) return true;
  // dlopen counts references, so two threads that get here at the same time load it only once.
  handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  __atomic_store_n(&library->handle, handle, __ATOMIC_RELEASE);
  return true;
}

bool lazy_library_has(struct lazy_library *library, const char *name) {
  return lazy_library_load(library) && dlsym(library->handle, name);
}

void *lazy_library_function(struct lazy_library *library, const char *name) {
  void *function = lazy_library_load(library) ? dlsym(library->handle, name) : NULL;
  if (!function) {
    fprintf(stderr, "regimen: %s of %s is not installed\n", name, library->name);
    abort();
  }
  return function;
}
