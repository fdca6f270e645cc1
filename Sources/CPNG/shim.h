// SPDX-License-Identifier: Apache-2.0
// libpng's short interface, which keeps its own setjmp inside; its formats are macros that Swift cannot see.
#include <png.h>
#include <string.h>

// Reads the size. 0 where it is a PNG.
static inline int regimen_png_size(
    const unsigned char *bytes, size_t count, unsigned *width, unsigned *height) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, count)) return 1;
  *width = image.width;
  *height = image.height;
  png_image_free(&image);
  return 0;
}

// Decodes into three bytes a pixel, what is see-through on white; `capacity` must be just what the
// size takes. 0 on success.
static inline int regimen_png_decode(
    const unsigned char *bytes, size_t count, unsigned char *pixels, size_t capacity) {
  png_image image;
  png_color white = {255, 255, 255};
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, count)) return 1;
  image.format = PNG_FORMAT_RGB;
  if ((size_t)image.width * image.height * 3 != capacity) {
    png_image_free(&image);
    return 1;
  }
  if (!png_image_finish_read(&image, &white, pixels, 0, NULL)) {
    png_image_free(&image);
    return 1;
  }
  return 0;
}
