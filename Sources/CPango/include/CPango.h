// SPDX-License-Identifier: Apache-2.0
// Cairo and Pango, loaded when the first PDF is made. The few Pango functions in use are declared here: the
// pkg-config flags for Pango's own headers contain -pthread, which the package manager rejects with a warning.
#ifndef CPANGO_H
#define CPANGO_H

#include <cairo/cairo-pdf.h>
#include <stdbool.h>

// Loads all libraries. Returns false if one is not installed or too old. Call it before any other function here.
bool pango_load(void);

typedef struct _PangoAttribute PangoAttribute;
typedef struct _PangoAttrList PangoAttrList;
typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoLanguage PangoLanguage;
typedef struct _PangoLayout PangoLayout;

// PANGO_SCALE, PangoWeight, PangoWrapMode and PangoAlignment of Pango 1, whose values never change.
#define REGIMEN_PANGO_SCALE 1024
#define REGIMEN_PANGO_WEIGHT_NORMAL 400
#define REGIMEN_PANGO_WEIGHT_BOLD 700
#define REGIMEN_PANGO_WRAP_WORD_CHAR 2
#define REGIMEN_PANGO_ALIGN_LEFT 0
#define REGIMEN_PANGO_ALIGN_RIGHT 2

PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
void pango_attr_list_unref(PangoAttrList *list);
PangoAttribute *pango_attr_line_height_new_absolute(int height);
PangoLayout *pango_cairo_create_layout(cairo_t *context);
void pango_cairo_show_layout(cairo_t *context, PangoLayout *layout);
PangoFontDescription *pango_font_description_from_string(const char *description);
void pango_font_description_free(PangoFontDescription *description);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_weight(PangoFontDescription *description, int weight);
PangoLanguage *pango_language_from_string(const char *language);
void pango_context_set_language(PangoContext *context, PangoLanguage *language);
PangoContext *pango_layout_get_context(PangoLayout *layout);
int pango_layout_get_baseline(PangoLayout *layout);
void pango_layout_get_size(PangoLayout *layout, int *width, int *height);
int pango_layout_get_unknown_glyphs_count(PangoLayout *layout);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attributes);
void pango_layout_set_alignment(PangoLayout *layout, int alignment);
void pango_layout_set_font_description(
    PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_wrap(PangoLayout *layout, int wrap);
void g_object_unref(void *object);

#endif
