/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Title, subtitle, footnotes, caption and watermark.  Where a surface is too small for all of
 * it, the text gives way before the data do: first to fewer lines, then altogether.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/value-text.h"

#include <math.h>

/* How much text a frame has; each level leaves more room to the panels. */
typedef struct {
    unsigned title_lines;
    unsigned subtitle_lines;
    unsigned footnote_lines; /* of each */
    unsigned n_footnotes;
    unsigned caption_lines;
} Level;

static const Level levels[FM_FRAME_LEVELS] = {
    {3, 3, 3, 12, 6}, {2, 2, 1, 6, 2}, {1, 1, 1, 2, 1},
    {1, 1, 0, 0, 0},  {1, 0, 0, 0, 0}, {0, 0, 0, 0, 0},
};

enum {
    MIN_WIDTH = 120,
};

double
fm_layout_get_margin(const FmLayout *layout)
{
    return layout->width < 500 ? 10 : 16;
}

/* Sets @string below @y, or only measures; returns where the next may begin. */
typedef struct {
    FmLayout *layout;
    double x;
    double width;
    double y;
    bool is_drawn;
} Writer;

static void
write_text(Writer *writer, const char *kind, const char *string, FmText *text)
{
    double height = fm_text_get_height(text);
    const FmTheme *theme = writer->layout->theme;

    if (writer->is_drawn && *string) {
        FmColor color = g_str_equal(kind, "title") ? theme->ink : theme->muted;
        fm_scene_add_text(writer->layout->scene, text, writer->x, writer->y,
                          (FmTextLook){.kind = kind, .color = color});
    } else {
        fm_text_free(text);
    }
    writer->y += height;
}

static void
write_lines(Writer *writer, const char *kind, const char *string, double size, unsigned max_lines)
{
    if (string && *string && max_lines > 0) {
        write_text(writer, kind, string,
                   fm_layout_wrap_text(writer->layout, string, size, writer->width, max_lines));
    }
}

static void
write_header(Writer *writer, const Level *level)
{
    const FmFigure *figure = writer->layout->figure;
    double begin = writer->y;

    if (writer->layout->hide_title) {
        return;
    }
    write_lines(writer, "title", figure->title, FM_SIZE_TITLE, level->title_lines);
    writer->y += writer->y > begin ? 2 : 0;
    write_lines(writer, "subtitle", figure->subtitle, FM_SIZE_SUBTITLE, level->subtitle_lines);
    writer->y += writer->y > begin ? 8 : 0;
}

/* Reasons of a table come first and carry their marks. */
static void
write_reasons(Writer *writer, const Level *level)
{
    const GPtrArray *reasons = writer->layout->reasons;

    for (unsigned i = 0; i < MIN(reasons->len, level->n_footnotes); i++) {
        g_autofree char *mark = fm_layout_dup_mark(i + 1);
        g_autofree char *string =
            g_strdup_printf("%s\u2009%s", mark, (const char *)g_ptr_array_index(reasons, i));
        write_lines(writer, "footnote", string, FM_SIZE_CAPTION, level->footnote_lines);
    }
}

static void
write_footer(Writer *writer, const Level *level)
{
    const FmFigure *figure = writer->layout->figure;

    write_reasons(writer, level);
    for (unsigned i = 0; i < MIN(figure->footnotes->len, level->n_footnotes); i++) {
        write_lines(writer, "footnote", g_ptr_array_index(figure->footnotes, i), FM_SIZE_CAPTION,
                    level->footnote_lines);
    }
    if (!writer->layout->hide_caption && figure->caption) {
        /* Facts are joined by " · ": a line may end with the dot but not begin with it. */
        g_auto(GStrv) facts = g_strsplit(figure->caption, " · ", -1);
        g_autofree char *caption = g_strjoinv("\u00A0· ", facts);
        writer->y += 2;
        write_lines(writer, "caption", caption, FM_SIZE_CAPTION, level->caption_lines);
    }
}

static FmRect
place_at_level(FmLayout *layout, const Level *level, bool is_drawn)
{
    double margin = fm_layout_get_margin(layout);
    Writer writer = {
        .layout = layout,
        .x = margin,
        .width = layout->width - 2 * margin,
        .y = margin - 2,
        .is_drawn = is_drawn,
    };
    write_header(&writer, level);
    double top = writer.y;

    writer.y = 0;
    writer.is_drawn = false;
    write_footer(&writer, level);
    double footer = writer.y;
    double bottom = layout->height - margin + 4 - footer;
    if (is_drawn) {
        writer.is_drawn = true;
        writer.y = bottom;
        write_footer(&writer, level);
    }
    return (FmRect){margin, top, layout->width - 2 * margin, bottom - (footer > 2 ? 8 : 0) - top};
}

bool
fm_layout_measure_frame(FmLayout *layout, unsigned level)
{
    layout->body = place_at_level(layout, &levels[level], false);
    return layout->width >= MIN_WIDTH && layout->body.height > 0;
}

void
fm_layout_add_frame(FmLayout *layout, unsigned level)
{
    place_at_level(layout, &levels[level], true);
}

/* What header and footer take at their most. */
double
fm_layout_get_frame_height(FmLayout *layout)
{
    double height = layout->height;
    layout->height = 10000;
    FmRect body = place_at_level(layout, &levels[0], false);
    layout->height = height;
    return 10000 - body.height;
}

void
fm_layout_place_watermark(FmLayout *layout, const FmRect *plot)
{
    const char *string = layout->figure->watermark;
    double size = CLAMP(plot->height * 0.3, 10, 64);
    double wanted = plot->width * 0.8;
    g_autoptr(FmText) probe = fm_layout_set_text(layout, string, size);
    double width = fm_text_get_width(probe);

    if (width > wanted) {
        size = MAX(size * wanted / width, 6);
    }
    FmText *text = fm_layout_wrap_text(layout, string, size, plot->width, 1);
    double x = plot->x + (plot->width - fm_text_get_width(text)) / 2;
    double y = plot->y + (plot->height - fm_text_get_height(text)) / 2;
    fm_scene_add_text(
        layout->scene, text, x, MAX(y, 0),
        (FmTextLook){.kind = "watermark",
                     .color = fm_color_mix(layout->theme->ink, layout->theme->paper, 0.88),
                     .is_ground = true});
}

/* Cells may fill all of a panel: there the mark stands small in the corner, over them. */
void
fm_layout_place_watermark_above(FmLayout *layout, const FmRect *plot)
{
    FmText *text = fm_layout_wrap_text(layout, layout->figure->watermark, FM_SIZE_TITLE,
                                       MAX(plot->width - 12, 1), 1);

    fm_scene_add_text(layout->scene, text, plot->x + 6, plot->y + 4,
                      (FmTextLook){.kind = "watermark",
                                   .color = layout->theme->ink,
                                   .halo = &layout->theme->paper,
                                   .is_ground = true});
}

void
fm_layout_say_no_room(FmLayout *layout)
{
    fm_scene_free(layout->scene);
    layout->scene = fm_scene_new();
    const char *words = fm_word(FM_WORD_NO_ROOM, layout->figure->language);
    double width = MAX(layout->width - 4, 1);
    unsigned max_lines = (unsigned)MAX(layout->height / 13, 1);
    g_autoptr(FmText) text = fm_layout_wrap_text(layout, words, FM_SIZE_CAPTION, width, max_lines);
    double text_width = fm_text_get_width(text);
    double text_height = fm_text_get_height(text);

    /* Not even that: an empty surface is better than half a letter. */
    if (text_width > layout->width || text_height > layout->height) {
        return;
    }
    fm_scene_add_text(layout->scene, g_steal_pointer(&text), (layout->width - text_width) / 2,
                      (layout->height - text_height) / 2,
                      (FmTextLook){.kind = "no-room", .color = layout->theme->muted});
}
