// SPDX-License-Identifier: Apache-2.0
#include "CPango.h"

#include "CLazy.h"

static struct lazy_library cairo = {.name = "libcairo.so.2"};
static struct lazy_library pango = {.name = "libpango-1.0.so.0"};
static struct lazy_library pangocairo = {.name = "libpangocairo-1.0.so.0"};
static struct lazy_library gobject = {.name = "libgobject-2.0.so.0"};

bool pango_load(void) {
  return lazy_library_load(&cairo) && lazy_library_load(&pango) && lazy_library_load(&pangocairo)
    && lazy_library_load(&gobject)
    // The newest functions in use: cairo 1.16 and Pango 1.50 have them, and then all others.
    && lazy_library_has(&cairo, "cairo_pdf_surface_set_metadata")
    && lazy_library_has(&pango, "pango_attr_line_height_new_absolute");
}

#define CAIRO(result, name, parameters, arguments) \
  LAZY_FUNCTION(&cairo, result, name, parameters, arguments)
#define PANGO(result, name, parameters, arguments) \
  LAZY_FUNCTION(&pango, result, name, parameters, arguments)

CAIRO(cairo_surface_t *, cairo_pdf_surface_create_for_stream,
      (cairo_write_func_t write_func, void *closure, double width, double height),
      (write_func, closure, width, height))
CAIRO(void, cairo_pdf_surface_set_metadata,
      (cairo_surface_t * surface, cairo_pdf_metadata_t metadata, const char *utf8),
      (surface, metadata, utf8))
CAIRO(cairo_status_t, cairo_surface_status, (cairo_surface_t * surface), (surface))
CAIRO(void, cairo_surface_finish, (cairo_surface_t * surface), (surface))
CAIRO(void, cairo_surface_destroy, (cairo_surface_t * surface), (surface))
CAIRO(cairo_t *, cairo_create, (cairo_surface_t * target), (target))
CAIRO(void, cairo_destroy, (cairo_t * cr), (cr))
CAIRO(void, cairo_show_page, (cairo_t * cr), (cr))
CAIRO(void, cairo_move_to, (cairo_t * cr, double x, double y), (cr, x, y))
CAIRO(void, cairo_line_to, (cairo_t * cr, double x, double y), (cr, x, y))
CAIRO(void, cairo_set_line_width, (cairo_t * cr, double width), (cr, width))
CAIRO(void, cairo_set_source_rgb, (cairo_t * cr, double red, double green, double blue),
      (cr, red, green, blue))
CAIRO(void, cairo_stroke, (cairo_t * cr), (cr))

PANGO(PangoAttrList *, pango_attr_list_new, (void), ())
PANGO(void, pango_attr_list_insert, (PangoAttrList * list, PangoAttribute *attribute),
      (list, attribute))
PANGO(void, pango_attr_list_unref, (PangoAttrList * list), (list))
PANGO(PangoAttribute *, pango_attr_line_height_new_absolute, (int height), (height))
PANGO(PangoFontDescription *, pango_font_description_from_string, (const char *description),
      (description))
PANGO(void, pango_font_description_free, (PangoFontDescription * description), (description))
PANGO(void, pango_font_description_set_absolute_size,
      (PangoFontDescription * description, double size), (description, size))
PANGO(void, pango_font_description_set_weight, (PangoFontDescription * description, int weight),
      (description, weight))
PANGO(PangoLanguage *, pango_language_from_string, (const char *language), (language))
PANGO(void, pango_context_set_language, (PangoContext * context, PangoLanguage *language),
      (context, language))
PANGO(PangoContext *, pango_layout_get_context, (PangoLayout * layout), (layout))
PANGO(int, pango_layout_get_baseline, (PangoLayout * layout), (layout))
PANGO(void, pango_layout_get_size, (PangoLayout * layout, int *width, int *height),
      (layout, width, height))
PANGO(int, pango_layout_get_unknown_glyphs_count, (PangoLayout * layout), (layout))
PANGO(void, pango_layout_set_attributes, (PangoLayout * layout, PangoAttrList *attributes),
      (layout, attributes))
PANGO(void, pango_layout_set_alignment, (PangoLayout * layout, int alignment), (layout, alignment))
PANGO(void, pango_layout_set_font_description,
      (PangoLayout * layout, const PangoFontDescription *description), (layout, description))
PANGO(void, pango_layout_set_text, (PangoLayout * layout, const char *text, int length),
      (layout, text, length))
PANGO(void, pango_layout_set_width, (PangoLayout * layout, int width), (layout, width))
PANGO(void, pango_layout_set_wrap, (PangoLayout * layout, int wrap), (layout, wrap))

LAZY_FUNCTION(&pangocairo, PangoLayout *, pango_cairo_create_layout, (cairo_t * context), (context))
LAZY_FUNCTION(&pangocairo, void, pango_cairo_show_layout, (cairo_t * context, PangoLayout *layout),
              (context, layout))
LAZY_FUNCTION(&gobject, void, g_object_unref, (void *object), (object))
