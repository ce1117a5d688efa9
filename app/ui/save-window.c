/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that mean nothing for the chosen format are greyed, never hidden: what a user looks
 * for stays where it was.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/save-window.h"

#include "ui/application.h"
#include "ui/form.h"

#include <glib/gi18n.h>

static const char *const format_titles[] = {
    N_("PNG, pixels"), N_("SVG, lines"), N_("PDF, lines"), N_("CSV, the plotted numbers"), NULL,
};

static const char *const preset_titles[] = {
    N_("As the figure is"),
    N_("Wide, 3579 × 1797"),
    N_("Tail latency, 3875 × 2094"),
    N_("Score table, 3524 × 2093"),
    N_("Bars, 2985 wide"),
    N_("Classic, 1000 × 500"),
    NULL,
};

static const char *const scale_titles[] = {"1×", "2×", "3×", NULL};

static const char *const theme_titles[] = {N_("Print"), N_("Light"), N_("Dark"), NULL};
static const char *const theme_names[] = {"print", "light", "dark"};

/* --- The rows ---------------------------------------------------------------------------- */

typedef struct {
    GtkDropDown *format;
    GtkDropDown *preset;
    GtkDropDown *scale;
    GtkDropDown *theme;
    GtkCheckButton *title;
    GtkCheckButton *caption;
    FmSaveOptions options;
    bool is_stored_at_once;
} Rows;

static void
show_use(Rows *rows)
{
    bool is_image = rows->options.format != FM_FORMAT_CSV;
    bool is_natural = rows->options.preset == FM_PRESET_NATURAL;

    gtk_widget_set_sensitive(GTK_WIDGET(rows->preset), is_image);
    gtk_widget_set_sensitive(GTK_WIDGET(rows->scale),
                             rows->options.format == FM_FORMAT_PNG && is_natural);
    gtk_widget_set_sensitive(GTK_WIDGET(rows->theme), is_image);
    gtk_widget_set_sensitive(GTK_WIDGET(rows->title), is_image);
    gtk_widget_set_sensitive(GTK_WIDGET(rows->caption), is_image);
}

static void
changed_cb(Rows *rows)
{
    rows->options.format = (FmFormat)gtk_drop_down_get_selected(rows->format);
    rows->options.preset = (FmPreset)gtk_drop_down_get_selected(rows->preset);
    rows->options.scale = gtk_drop_down_get_selected(rows->scale) + 1;
    rows->options.theme = fm_theme_by_name(theme_names[gtk_drop_down_get_selected(rows->theme)]);
    rows->options.has_title = gtk_check_button_get_active(rows->title);
    rows->options.has_caption = gtk_check_button_get_active(rows->caption);
    show_use(rows);
    if (rows->is_stored_at_once) {
        fm_save_options_store(&rows->options);
    }
}

static guint
find_theme(const FmTheme *theme)
{
    for (guint i = 0; i < G_N_ELEMENTS(theme_names); i++) {
        if (fm_theme_by_name(theme_names[i]) == theme) {
            return i;
        }
    }
    return 0;
}

static void
fill_rows(Rows *rows)
{
    const FmSaveOptions options = rows->options;

    gtk_drop_down_set_selected(rows->format, options.format);
    gtk_drop_down_set_selected(rows->preset, options.preset);
    gtk_drop_down_set_selected(rows->scale, options.scale - 1);
    gtk_drop_down_set_selected(rows->theme, find_theme(options.theme));
    gtk_check_button_set_active(rows->title, options.has_title);
    gtk_check_button_set_active(rows->caption, options.has_caption);
}

static void
watch_rows(Rows *rows)
{
    GtkDropDown *const choices[] = {rows->format, rows->preset, rows->scale, rows->theme};

    for (gsize i = 0; i < G_N_ELEMENTS(choices); i++) {
        g_signal_connect_swapped(choices[i], "notify::selected", G_CALLBACK(changed_cb), rows);
    }
    g_signal_connect_swapped(rows->title, "toggled", G_CALLBACK(changed_cb), rows);
    g_signal_connect_swapped(rows->caption, "toggled", G_CALLBACK(changed_cb), rows);
}

/* @rows is freed with the form. */
static void
add_rows(GtkWidget *grid, Rows *rows)
{
    rows->options = fm_save_options_load();
    rows->format = GTK_DROP_DOWN(fm_form_add_choice(grid, _("_Format"), format_titles));
    rows->preset = GTK_DROP_DOWN(fm_form_add_choice(grid, _("Si_ze"), preset_titles));
    rows->scale = GTK_DROP_DOWN(fm_form_add_choice(grid, _("_Resolution"), scale_titles));
    rows->theme = GTK_DROP_DOWN(fm_form_add_choice(grid, _("_Colours"), theme_titles));
    rows->title = GTK_CHECK_BUTTON(fm_form_add_check(grid, _("_Title and subtitle")));
    rows->caption = GTK_CHECK_BUTTON(fm_form_add_check(grid, _("C_aption with the facts")));
    fill_rows(rows);
    watch_rows(rows);
    show_use(rows);
    g_object_set_data_full(G_OBJECT(grid), "rows", rows, g_free);
}

void
fm_save_rows_add(GtkWidget *form)
{
    Rows *rows = g_new0(Rows, 1);

    rows->is_stored_at_once = true;
    add_rows(form, rows);
}

/* --- Remembering ------------------------------------------------------------------------- */

static FmSettings *
get_settings(void)
{
    GApplication *application = g_application_get_default();

    return FM_IS_APPLICATION(application) ? fm_application_get_settings(FM_APPLICATION(application))
                                          : NULL;
}

FmSaveOptions
fm_save_options_load(void)
{
    FmSettings *settings = get_settings();
    g_autofree char *text = settings != NULL ? fm_settings_dup_saving(settings) : NULL;

    return fm_save_options_parse(text);
}

void
fm_save_options_store(const FmSaveOptions *options)
{
    FmSettings *settings = get_settings();
    g_autofree char *text = fm_save_options_dup_text(options);

    if (settings != NULL) {
        fm_settings_set_saving(settings, text);
    }
}

/* --- The window -------------------------------------------------------------------------- */

struct _FmSaveWindow {
    GtkWindow parent_instance;
    Rows *rows; /* the grid's */
};

enum { ACCEPTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmSaveWindow, fm_save_window, GTK_TYPE_WINDOW)

static void
accept_cb(FmSaveWindow *window)
{
    g_object_ref(window);
    fm_save_options_store(&window->rows->options);
    g_signal_emit(window, signals[ACCEPTED], 0);
    gtk_window_destroy(GTK_WINDOW(window));
    g_object_unref(window);
}

static void
fm_save_window_class_init(FmSaveWindowClass *klass)
{
    signals[ACCEPTED] = g_signal_new("accepted", FM_TYPE_SAVE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
}

static void
fm_save_window_init(FmSaveWindow *window)
{
    GtkWidget *grid = fm_form_new();

    window->rows = g_new0(Rows, 1);
    add_rows(grid, window->rows);
    fm_form_fill_window(GTK_WINDOW(window), grid, _("_Save…"), G_CALLBACK(accept_cb));
}

FmSaveWindow *
fm_save_window_new(GtkWindow *parent, const char *title)
{
    return g_object_new(FM_TYPE_SAVE_WINDOW, "title", title, "transient-for", parent, "modal", TRUE,
                        "destroy-with-parent", TRUE, "resizable", FALSE, NULL);
}

FmSaveOptions
fm_save_window_get_options(FmSaveWindow *window)
{
    g_return_val_if_fail(FM_IS_SAVE_WINDOW(window), fm_save_options_default());
    return window->rows->options;
}
