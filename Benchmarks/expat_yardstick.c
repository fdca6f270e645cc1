// SPDX-License-Identifier: Apache-2.0
// The time libexpat takes to find the attributes of every record of an Apple Health export that the
// server's own reader uses, without converting any of them. Prints one line of JSON.
//   expat_yardstick FILE
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 };

static const char *const wanted[] = {
    "type", "unit", "value", "sourceName", "creationDate", "startDate", "endDate", "key", "resourceFilePath",
};
enum { WANTED = sizeof wanted / sizeof *wanted };

static long records, found, bytes;

static void start(void *data, const char *name, const char **attributes) {
  (void)data;
  const char *places[WANTED] = {0};
  int is_record = strcmp(name, "Record") == 0;
  if (!is_record && strcmp(name, "MetadataEntry") != 0 && strcmp(name, "ClinicalRecord") != 0) return;
  records += is_record;
  for (; attributes[0]; attributes += 2) {
    for (int i = 0; i < WANTED; i++) {
      if (strcmp(attributes[0], wanted[i]) == 0) {
        places[i] = attributes[1];
        break;
      }
    }
  }
  for (int i = 0; i < WANTED; i++) found += places[i] != NULL;
}

static void end(void *data, const char *name) {
  (void)data;
  (void)name;
}

static void require(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "expat_yardstick: %s\n", what);
  exit(1);
}

int main(int count, char **arguments) {
  require(count == 2, "usage: expat_yardstick FILE");
  FILE *file = fopen(arguments[1], "rb");
  require(file != NULL, "the file cannot be opened");
  setvbuf(file, NULL, _IONBF, 0);
  XML_Parser parser = XML_ParserCreate(NULL);
  require(parser != NULL, "no memory");
  XML_SetElementHandler(parser, start, end);
  for (int is_last = 0; !is_last;) {
    void *piece = XML_GetBuffer(parser, PIECE);
    require(piece != NULL, "no memory");
    size_t got = fread(piece, 1, PIECE, file);
    require(!ferror(file), "the file cannot be read");
    is_last = got < PIECE;
    bytes += (long)got;
    if (XML_ParseBuffer(parser, (int)got, is_last) != XML_STATUS_OK) {
      fprintf(stderr, "expat_yardstick: line %lu: %s\n", XML_GetCurrentLineNumber(parser),
              XML_ErrorString(XML_GetErrorCode(parser)));
      return 1;
    }
  }
  XML_ParserFree(parser);
  fclose(file);
  printf("{\"bytes\":%ld,\"records\":%ld,\"attributes\":%ld}\n", bytes, records, found);
  return 0;
}
