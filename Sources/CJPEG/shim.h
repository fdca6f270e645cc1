// SPDX-License-Identifier: Apache-2.0
// libjpeg leaves by setjmp and longjmp, which Swift cannot: these few functions keep that inside C.
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

struct regimen_jpeg_trouble {
  struct jpeg_error_mgr manager;
  jmp_buf back;
};

// A picture in many scans is decoded as often: a small file could take minutes.
#define REGIMEN_JPEG_MOST_SCANS 64

static void regimen_jpeg_leave(j_common_ptr info) {
  longjmp(((struct regimen_jpeg_trouble *)info->err)->back, 1);
}

static void regimen_jpeg_say_nothing(j_common_ptr info) { (void)info; }

static void regimen_jpeg_count(j_common_ptr info) {
  if (info->is_decompressor && ((j_decompress_ptr)info)->input_scan_number > REGIMEN_JPEG_MOST_SCANS)
    longjmp(((struct regimen_jpeg_trouble *)info->err)->back, 1);
}

static inline struct jpeg_error_mgr *regimen_jpeg_errors(struct regimen_jpeg_trouble *trouble) {
  struct jpeg_error_mgr *errors = jpeg_std_error(&trouble->manager);
  errors->error_exit = regimen_jpeg_leave;
  errors->output_message = regimen_jpeg_say_nothing;
  return errors;
}

// Reads the size; `several` says whether the picture comes in several scans. 0 where it is a JPEG.
static inline int regimen_jpeg_size(
    const unsigned char *bytes, size_t count, unsigned *width, unsigned *height, int *several) {
  struct jpeg_decompress_struct info;
  struct regimen_jpeg_trouble trouble;
  info.err = regimen_jpeg_errors(&trouble);
  if (setjmp(trouble.back)) {
    jpeg_destroy_decompress(&info);
    return 1;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  *width = info.image_width;
  *height = info.image_height;
  *several = jpeg_has_multiple_scans(&info);
  jpeg_destroy_decompress(&info);
  return 0;
}

// Decodes into three bytes a pixel at 1/denominator (1, 2, 4 or 8) of the size, rounded up on each
// side; `capacity` must be just what that takes. 0 on success.
static inline int regimen_jpeg_decode(
    const unsigned char *bytes, size_t count, unsigned denominator, long memory,
    unsigned char *pixels, size_t capacity) {
  struct jpeg_decompress_struct info;
  struct regimen_jpeg_trouble trouble;
  struct jpeg_progress_mgr progress = {0};
  info.err = regimen_jpeg_errors(&trouble);
  if (setjmp(trouble.back)) {
    jpeg_destroy_decompress(&info);
    return 1;
  }
  jpeg_create_decompress(&info);
  progress.progress_monitor = regimen_jpeg_count;
  info.progress = &progress;
  info.mem->max_memory_to_use = memory;
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  info.scale_num = 1;
  info.scale_denom = denominator;
  jpeg_start_decompress(&info);
  size_t row = (size_t)info.output_width * 3;
  if (info.output_components != 3 || row * info.output_height != capacity) {
    jpeg_destroy_decompress(&info);
    return 1;
  }
  while (info.output_scanline < info.output_height) {
    JSAMPROW line = pixels + row * info.output_scanline;
    jpeg_read_scanlines(&info, &line, 1);
  }
  jpeg_destroy_decompress(&info);
  return 0;
}

// Encodes three bytes a pixel; the result is freed with free(). 0 on success.
static inline int regimen_jpeg_encode(
    const unsigned char *pixels, unsigned width, unsigned height, int quality,
    unsigned char **bytes, unsigned long *count) {
  struct jpeg_compress_struct info;
  struct regimen_jpeg_trouble trouble;
  *bytes = NULL;
  *count = 0;
  info.err = regimen_jpeg_errors(&trouble);
  if (setjmp(trouble.back)) {
    jpeg_destroy_compress(&info);
    free(*bytes);
    *bytes = NULL;
    return 1;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, bytes, count);
  info.image_width = width;
  info.image_height = height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW line = (JSAMPROW)(pixels + (size_t)width * 3 * info.next_scanline);
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return 0;
}
