// SPDX-License-Identifier: Apache-2.0
// The C functions that Embedded Swift needs. Because they are defined here, the module imports nothing.
//
// Memory is allocated upwards from the end of the data, and only the latest allocation can be freed: an instance
// answers one question and is then discarded.

typedef unsigned long size;

extern unsigned char __heap_base;
static size top;
static size last;

int posix_memalign(void **result, size alignment, size length) {
  if (top == 0) top = (size)&__heap_base;
  size begin = (top + alignment - 1) & ~(alignment - 1);
  size end = begin + length;
  size held = (size)__builtin_wasm_memory_size(0) << 16;
  if (end < begin) return 12;
  if (end > held && __builtin_wasm_memory_grow(0, (end - held + 0xFFFF) >> 16) == (size)-1) return 12;
  last = begin;
  top = end;
  *result = (void *)begin;
  return 0;
}

void free(void *block) {
  if (block && (size)block == last) top = last;
}

// The seed for hashing. It can be constant: colliding names would only slow down the browser of the person who
// chose them.
void arc4random_buf(void *buffer, size length) {
  for (size index = 0; index < length; index++) ((unsigned char *)buffer)[index] = 0x5A;
}

typedef unsigned long long word;

// Multiplies two 128-bit numbers, each passed and returned as two words. The compiler uses it for 64-bit
// multiplication with overflow checks.
void __multi3(word *result, word leftLow, word leftHigh, word rightLow, word rightHigh) {
  const word half = 0xFFFFFFFF;
  word low = (leftLow & half) * (rightLow & half);
  word first = (leftLow >> 32) * (rightLow & half) + (low >> 32);
  word second = (leftLow & half) * (rightLow >> 32) + (first & half);
  result[0] = (second << 32) | (low & half);
  result[1] = (leftLow >> 32) * (rightLow >> 32) + (first >> 32) + (second >> 32)
    + leftHigh * rightLow + leftLow * rightHigh;
}
