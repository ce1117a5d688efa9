/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting text.  There are two engines: one that knows nothing but the bundled files, and one
 * that also knows the fonts of the system, made when the first text comes that needs it.  Neither
 * is fontconfig's current configuration, which belongs to the toolkit of the window.  All of
 * Pango is used under one lock, since font maps and layouts share caches without locks of
 * their own.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "plot/text.h"

#include "base/text.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-fontmap.h>

#include <math.h>
#include <string.h>

enum {
    MAX_CHARACTERS = 2000, /* more than any figure has room for */
};

#define FACE "Pretendard"
#define LINE_HEIGHT 1.1934 /* of the face, in its size */

typedef struct {
    PangoContext *context; /* NULL = not made yet */
} Engine;

struct FmText {
    PangoLayout *layout;
    char *string;
    double x_offset; /* of what is set within the layout */
    double width;
    double height;
    double baseline;
    unsigned n_lines;
    bool is_cut;
};

static GMutex lock;

/* --- protected by lock */
static Engine bundled;
static Engine system_too;
static FcCharSet *coverage; /* of the bundled face */
static char *data_folder; /* NULL = FATHOM_DATA_DIR, else as configured */
static const char *problem;

/* --- Fonts ------------------------------------------------------------------------ */

/* Adds the bundled files; false when one can't be used. */
static bool
add_bundled(FcConfig *config)
{
    static const char *const files[] = {"Pretendard-Regular.otf", "Pretendard-SemiBold.otf"};
    const char *folder = data_folder != NULL ? data_folder : g_getenv("FATHOM_DATA_DIR");

    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path =
            g_build_filename(folder ? folder : FM_DATA_DIR, "fonts", files[i], NULL);
        if (!FcConfigAppFontAddFile(config, (const FcChar8 *)path)) {
            return false;
        }
    }
    return true;
}

static void
remember_coverage(FcConfig *config)
{
    FcFontSet *set = FcConfigGetFonts(config, FcSetApplication);
    FcCharSet *characters = NULL;

    if (set && set->nfont > 0 &&
        FcPatternGetCharSet(set->fonts[0], FC_CHARSET, 0, &characters) == FcResultMatch) {
        coverage = FcCharSetCopy(characters);
    }
}

static void
make_context(Engine *engine, FcConfig *config)
{
    g_autoptr(PangoFontMap) map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
    pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(map), config);
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), 72);

    engine->context = pango_font_map_create_context(map);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(engine->context, options);
    cairo_font_options_destroy(options);
    pango_context_set_round_glyph_positions(engine->context, FALSE);
    pango_context_set_base_dir(engine->context, PANGO_DIRECTION_WEAK_LTR);
}

static void
make_system_engine(void)
{
    FcConfig *config = FcInitLoadConfigAndFonts();
    add_bundled(config);
    make_context(&system_too, config);
    FcConfigDestroy(config);
}

static void
make_bundled_engine(void)
{
    static const FcChar8 nothing[] = "<?xml version=\"1.0\"?><fontconfig></fontconfig>";
    FcConfig *config = FcConfigCreate();
    FcConfigParseAndLoadFromMemory(config, nothing, FcTrue);
    if (add_bundled(config)) {
        FcConfigBuildFonts(config);
        remember_coverage(config);
        make_context(&bundled, config);
    } else {
        problem = "The font of the figures is missing, so they are set in one of the system";
        g_message("%s", problem);
    }
    FcConfigDestroy(config);
}

/* Characters that no font needs to have. */
static bool
is_invisible(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SPACE_SEPARATOR:
        return true;
    default:
        return c >= 0xFE00 && c <= 0xFE0F;
    }
}

static bool
is_covered(const char *text)
{
    if (!coverage) {
        return false;
    }
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (!is_invisible(c) && !FcCharSetHasChar(coverage, c)) {
            return false;
        }
    }
    return true;
}

static PangoContext *
get_context(const char *text)
{
    static bool is_begun = false; /* protected by lock */

    if (!is_begun) {
        is_begun = true;
        make_bundled_engine();
    }
    if (is_covered(text)) {
        return bundled.context;
    }
    if (!system_too.context) {
        make_system_engine();
    }
    return system_too.context;
}

/* --- Setting ---------------------------------------------------------------------- */

static char *
dup_clean(const char *string)
{
    g_autofree char *printable = fm_text_dup_printable(string ? string : "");
    if (g_utf8_strlen(printable, -1) > MAX_CHARACTERS) {
        *g_utf8_offset_to_pointer(printable, MAX_CHARACTERS) = '\0';
    }
    return g_steal_pointer(&printable);
}

static PangoAlignment
to_pango_alignment(FmAlign align)
{
    switch (align) {
    case FM_ALIGN_CENTER:
        return PANGO_ALIGN_CENTER;
    case FM_ALIGN_RIGHT:
        return PANGO_ALIGN_RIGHT;
    case FM_ALIGN_LEFT:
    default:
        return PANGO_ALIGN_LEFT;
    }
}

static void
keep_together(PangoAttrList *attributes, const char *string, const char *begin, const char *end)
{
    PangoAttribute *attribute = pango_attr_allow_breaks_new(FALSE);
    attribute->start_index = (guint)(begin - string);
    attribute->end_index = (guint)(end - string);
    pango_attr_list_insert(attributes, attribute);
}

/* Korean lines are broken between words, as its readers are used to, not between syllables; but a
 * word as long as a line has to be broken somewhere. */
static void
keep_words(PangoAttrList *attributes, const char *string, const FmTextStyle *style)
{
    unsigned max_length = (unsigned)MIN(style->width / style->size, 24);
    const char *begin = string;
    unsigned length = 0;
    bool has_hangul = false;

    for (const char *p = string;; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (c && !g_unichar_isspace(c)) {
            has_hangul |= g_unichar_get_script(c) == G_UNICODE_SCRIPT_HANGUL;
            length++;
            continue;
        }
        if (has_hangul && length > 1 && length <= max_length) {
            keep_together(attributes, string, begin, p);
        }
        if (!c) {
            return;
        }
        begin = g_utf8_next_char(p);
        length = 0;
        has_hangul = false;
    }
}

static PangoLayout *
make_layout(const char *string, const FmTextStyle *style)
{
    PangoContext *context = get_context(string);
    const char *language = style->language ? style->language : "en";
    pango_context_set_language(context, pango_language_from_string(language));

    PangoLayout *layout = pango_layout_new(context);
    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, FACE ", sans-serif");
    pango_font_description_set_weight(font,
                                      style->is_bold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, style->size * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);

    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
    /* Other scripts have taller fonts; a line of ours is always as high as one of the face. */
    double line_height = round(style->size * LINE_HEIGHT * PANGO_SCALE);
    pango_attr_list_insert(attributes, pango_attr_line_height_new_absolute((int)line_height));
    if (style->width > 0) {
        keep_words(attributes, string, style);
    }
    pango_layout_set_attributes(layout, attributes);
    pango_attr_list_unref(attributes);

    pango_layout_set_alignment(layout, to_pango_alignment(style->align));
    if (style->width > 0) {
        pango_layout_set_width(layout, (int)(MIN(style->width, 1e5) * PANGO_SCALE));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
        if (style->max_lines > 0) {
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
            pango_layout_set_height(layout, -(int)MIN(style->max_lines, 1000u));
        }
    }
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, string, -1);
    return layout;
}

void
fm_text_set_data_dir(const char *folder)
{
    g_mutex_lock(&lock);
    g_free(data_folder);
    data_folder = g_strdup(folder);
    g_mutex_unlock(&lock);
}

FmText *
fm_text_new(const char *text, const FmTextStyle *style)
{
    FmText *self = g_new0(FmText, 1);
    self->string = dup_clean(text);

    g_mutex_lock(&lock);
    self->layout = make_layout(self->string, style);
    PangoRectangle box;
    pango_layout_get_extents(self->layout, NULL, &box);
    self->x_offset = (double)box.x / PANGO_SCALE;
    self->width = (double)box.width / PANGO_SCALE;
    self->height = (double)box.height / PANGO_SCALE;
    self->baseline = (double)pango_layout_get_baseline(self->layout) / PANGO_SCALE;
    self->n_lines = (unsigned)pango_layout_get_line_count(self->layout);
    self->is_cut = pango_layout_is_ellipsized(self->layout);
    g_mutex_unlock(&lock);
    return self;
}

void
fm_text_free(FmText *text)
{
    if (text) {
        g_mutex_lock(&lock);
        g_object_unref(text->layout);
        g_mutex_unlock(&lock);
        g_free(text->string);
        g_free(text);
    }
}

double
fm_text_get_width(const FmText *text)
{
    return text->width;
}

double
fm_text_get_height(const FmText *text)
{
    return text->height;
}

double
fm_text_get_baseline(const FmText *text)
{
    return text->baseline;
}

unsigned
fm_text_get_n_lines(const FmText *text)
{
    return text->n_lines;
}

bool
fm_text_is_cut(const FmText *text)
{
    return text->is_cut;
}

const char *
fm_text_get_string(const FmText *text)
{
    return text->string;
}

double
fm_text_measure(const char *string, const FmTextStyle *style)
{
    g_autoptr(FmText) text = fm_text_new(string, style);
    return text->width;
}

/* --- Drawing ---------------------------------------------------------------------- */

void
fm_text_draw(const FmText *text, cairo_t *cr, const double at[2], FmColor color,
             const FmColor *halo)
{
    g_mutex_lock(&lock);
    cairo_save(cr);
    cairo_new_path(cr);
    cairo_move_to(cr, at[0] - text->x_offset, at[1]);
    if (halo) {
        cairo_set_source_rgb(cr, halo->red, halo->green, halo->blue);
        cairo_set_line_width(cr, 3);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        pango_cairo_layout_path(cr, text->layout);
        cairo_stroke(cr);
        cairo_move_to(cr, at[0] - text->x_offset, at[1]);
    }
    cairo_set_source_rgb(cr, color.red, color.green, color.blue);
    pango_cairo_show_layout(cr, text->layout);
    cairo_restore(cr);
    g_mutex_unlock(&lock);
}

const char *
fm_text_get_problem(void)
{
    g_mutex_lock(&lock);
    get_context("");
    const char *text = problem;
    g_mutex_unlock(&lock);
    return text;
}
