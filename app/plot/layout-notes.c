/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes: the texts of bands and of rules that go down the plot, in rows at its top.  One that
 * finds no place in any row is left out rather than put over another.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include <math.h>

enum {
    NOTE_GAP = 4,
    NOTE_STEP = 13, /* from one row of notes to the next */
    NOTE_ROWS = 5,
    NOTE_MIN_WIDTH = 84,
};

static const FmAnnotation *
get_annotation(const FmPanelBox *box, unsigned index)
{
    return &g_array_index(box->panel->annotations, FmAnnotation, index);
}

/* A line down the plot: at a value of x, or of y where the panel lies. */
static bool
is_down_rule(const FmPanelBox *box, const FmAnnotation *annotation)
{
    return annotation->kind ==
           (box->panel->is_horizontal ? FM_ANNOTATION_RULE_Y : FM_ANNOTATION_RULE_X);
}

static double
share_to_x(const FmPanelBox *box, double share)
{
    return box->plot.x + share * box->plot.width;
}

typedef struct {
    FmText *text;
    FmRect rect;
    FmColor color;
    FmColor halo;
} Note;

static void
clear_note_cb(gpointer data)
{
    fm_text_free(((Note *)data)->text);
}

/* The part of the plot a note is about, left and right; false = not seen. */
static bool
get_note_span(const FmPanelBox *box, const FmAnnotation *annotation, double span[2])
{
    const FmScale *scale = fm_box_get_flat_scale(box);
    bool is_band = annotation->kind == FM_ANNOTATION_BAND_X && !box->panel->is_horizontal;

    if (is_band) {
        double from = fm_scale_map(scale, annotation->x0);
        double to = fm_scale_map(scale, annotation->x1);
        if (!(from < 1 && to > 0)) {
            return false;
        }
        span[0] = share_to_x(box, MAX(from, 0));
        span[1] = share_to_x(box, MIN(to, 1));
        return true;
    }
    if (!is_down_rule(box, annotation)) {
        return false;
    }
    double value = box->panel->is_horizontal ? annotation->y0 : annotation->x0;
    double at = fm_scale_map(scale, value);
    span[0] = span[1] = share_to_x(box, at);
    return at >= 0 && at <= 1;
}

/* Breaks at " · " rather than between a number and its unit. */
static char *
dup_unbroken(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, " · ", -1);

    for (unsigned i = 0; parts[i]; i++) {
        if (g_utf8_strlen(parts[i], -1) <= 16) {
            g_auto(GStrv) words = g_strsplit(parts[i], " ", -1);
            g_free(parts[i]);
            parts[i] = g_strjoinv("\u00A0", words);
        }
    }
    return g_strjoinv("\u00A0· ", parts);
}

static bool
is_note_free(const GArray *notes, const FmRect *rect)
{
    for (unsigned i = 0; i < notes->len; i++) {
        if (fm_rect_intersects(&g_array_index(notes, Note, i).rect, rect)) {
            return false;
        }
    }
    return true;
}

/* Where a note that is in the way ends, so that the next one may stand beside it. */
static double
find_free_x(const GArray *notes, const FmRect *rect)
{
    double x = rect->x;
    for (unsigned i = 0; i < notes->len; i++) {
        const FmRect *other = &g_array_index(notes, Note, i).rect;
        if (fm_rect_intersects(other, rect)) {
            x = MAX(x, other->x + other->width + 8);
        }
    }
    return x;
}

/* Finds the highest row where @note has room, right of where its subject begins or left of it. */
static bool
place_note(const FmPanelBox *box, const GArray *notes, const double span[2], Note *note)
{
    double width = fm_text_get_width(note->text);
    double height = fm_text_get_height(note->text);
    double right = box->plot.x + box->plot.width;
    double top = box->panel->is_horizontal ? box->plot.y - NOTE_STEP - 2 : box->plot.y + 2;
    unsigned n_rows = box->panel->is_horizontal ? 1 : NOTE_ROWS;

    for (unsigned row = 0; row < n_rows; row++) {
        FmRect first = {span[0] + NOTE_GAP - 3, top + row * NOTE_STEP, width + 6, height};
        double beside = find_free_x(notes, &first);
        bool has_beside = beside + width + NOTE_GAP <= span[1];
        const double places[] = {span[0] + NOTE_GAP, has_beside ? beside : NAN,
                                 span[0] - NOTE_GAP - width, right - width};
        for (unsigned i = 0; i < G_N_ELEMENTS(places); i++) {
            note->rect = (FmRect){places[i], top + row * NOTE_STEP, width, height};
            FmRect wide = {note->rect.x - 3, note->rect.y, width + 6, height};
            bool is_inside = places[i] >= box->plot.x && places[i] + width <= right + 0.01 &&
                             note->rect.y + height <= box->plot.y + box->plot.height;
            /* Left of where it begins only if it is a rule, at the end of the plot if it reaches
             * there. */
            bool is_rule = span[1] - span[0] < 8;
            bool is_near = i < 2 || (i == 2 && is_rule) ||
                           (i == 3 && (span[1] > right - 1 || places[i] <= span[1]));
            if (is_inside && is_near && is_note_free(notes, &wide)) {
                return true;
            }
        }
    }
    return false;
}

static GArray *
place_notes(FmLayout *layout, const FmPanelBox *box)
{
    GArray *notes = g_array_new(FALSE, TRUE, sizeof(Note));

    g_array_set_clear_func(notes, clear_note_cb);
    for (unsigned i = 0; i < box->panel->annotations->len; i++) {
        const FmAnnotation *annotation = get_annotation(box, i);
        double span[2];
        if (!annotation->text || !*annotation->text || !get_note_span(box, annotation, span)) {
            continue;
        }
        double width = CLAMP(span[1] - span[0] - 2 * NOTE_GAP, NOTE_MIN_WIDTH, 260);
        bool is_rule = span[0] == span[1];
        FmColor color = layout->theme->roles[annotation->role].color;
        g_autofree char *string = dup_unbroken(annotation->text);
        Note note = {
            .text = fm_layout_wrap_text(layout, string, FM_SIZE_TICK,
                                        is_rule ? box->plot.width * 0.4 : width, is_rule ? 1 : 3),
            .color = fm_color_mix(color, layout->theme->ink, 0.25),
            .halo =
                is_rule ? layout->theme->paper : fm_color_mix(layout->theme->paper, color, 0.12),
        };
        if (place_note(box, notes, span, &note)) {
            g_array_append_val(notes, note);
        } else {
            fm_text_free(note.text);
        }
    }
    return notes;
}

double
fm_layout_measure_notes(FmLayout *layout, const FmPanelBox *box)
{
    g_autoptr(GArray) notes = place_notes(layout, box);
    double bottom = 0;

    if (box->panel->is_horizontal) {
        return notes->len > 0 ? NOTE_STEP : 0; /* a row over the plot */
    }
    for (unsigned i = 0; i < notes->len; i++) {
        const Note *note = &g_array_index(notes, Note, i);
        bottom = MAX(bottom, note->rect.y + note->rect.height - box->plot.y + NOTE_GAP);
    }
    return MIN(bottom, box->plot.height * 0.4);
}

void
fm_layout_add_notes(FmLayout *layout, FmPanelBox *box)
{
    g_autoptr(GArray) notes = place_notes(layout, box);

    for (unsigned i = 0; i < notes->len; i++) {
        Note *note = &g_array_index(notes, Note, i);
        if (!fm_scene_is_taken(layout->scene, &note->rect)) {
            fm_scene_add_text(
                layout->scene, g_steal_pointer(&note->text), note->rect.x, note->rect.y,
                (FmTextLook){.kind = "note", .color = note->color, .halo = &note->halo});
        }
    }
}
