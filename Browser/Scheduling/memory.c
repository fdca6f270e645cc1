// SPDX-License-Identifier: Apache-2.0
// What Embedded Swift asks of its surroundings. With it the module imports nothing.
//
// Memory is given out from the end of the data onwards and taken back only where it was given out last: an
// instance answers one question and is dropped.

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

// The seed of hashes; whoever would choose colliding names asks their own browser.
void arc4random_buf(void *buffer, size length) {
  for (size index = 0; index < length; index++) ((unsigned char *)buffer)[index] = 0x5A;
}

typedef unsigned long long word;

// The product of two 128-bit numbers, given and returned as two words each: multiplication that notices an
// overflow is made of it.
void __multi3(word *result, word leftLow, word leftHigh, word rightLow, word rightHigh) {
  const word half = 0xFFFFFFFF;
  word low = (leftLow & half) * (rightLow & half);
  word first = (leftLow >> 32) * (rightLow & half) + (low >> 32);
  word second = (leftLow & half) * (rightLow >> 32) + (first & half);
  result[0] = (second << 32) | (low & half);
  result[1] = (leftLow >> 32) * (rightLow >> 32) + (first >> 32) + (second >> 32)
    + leftHigh * rightLow + leftLow * rightHigh;
}
