/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saving appends a frame to the file, in a thread, because its end is looked for first.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/note-editor.h"

#include "base/error.h"
#include "store/user-note.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    SPACING = 6,
    MARGIN = 12,
};

struct _FmNoteEditor {
    GtkWidget parent_instance;
    GtkWidget *box;
    GtkTextView *text;
    GtkEntry *tags;
    GtkWidget *save;
    GtkLabel *told;
    char *path; /* of the run that is shown; NULL = none */
    char *saved_text; /* as the file has it */
    char *saved_tags;
    bool is_busy; /* the run is going on: its host owns the file */
};

enum { SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmNoteEditor, fm_note_editor, GTK_TYPE_WIDGET)

static void
tell(FmNoteEditor *editor, const char *sentence, bool is_error)
{
    gtk_label_set_text(editor->told, sentence);
    if (is_error) {
        gtk_widget_add_css_class(GTK_WIDGET(editor->told), "error");
    } else {
        gtk_widget_remove_css_class(GTK_WIDGET(editor->told), "error");
    }
}

static char *
dup_text(FmNoteEditor *editor)
{
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(editor->text);
    GtkTextIter begin;
    GtkTextIter end;

    gtk_text_buffer_get_bounds(buffer, &begin, &end);
    return gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
}

static bool
is_changed(FmNoteEditor *editor)
{
    g_autofree char *text = dup_text(editor);

    return editor->path != NULL && !editor->is_busy &&
           (strcmp(text, editor->saved_text) != 0 ||
            strcmp(gtk_editable_get_text(GTK_EDITABLE(editor->tags)), editor->saved_tags) != 0);
}

static void
changed_cb(FmNoteEditor *editor)
{
    bool can_save = is_changed(editor);

    gtk_widget_set_sensitive(editor->save, can_save);
    if (can_save) {
        tell(editor, "", false);
    }
}

/* --- Saving ------------------------------------------------------------------------------ */

typedef struct {
    char *path;
    char *text;
    char *tags;
} Note;

static void
note_free(gpointer data)
{
    Note *note = data;

    g_free(note->path);
    g_free(note->text);
    g_free(note->tags);
    g_free(note);
}

static void
save_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Note *note = data;
    g_auto(GStrv) tags = fm_user_note_parse_tags(note->tags);
    GError *error = NULL;

    if (fm_user_note_save(note->path, note->text, (const char *const *)tags, &error)) {
        g_task_return_boolean(task, TRUE);
    } else {
        g_task_return_error(task, error);
    }
}

/* A note that is on its way to the file outlives the window. */
static void
hold_application(bool is_held)
{
    GApplication *application = g_application_get_default();

    if (application != NULL && is_held) {
        g_application_hold(application);
    } else if (application != NULL) {
        g_application_release(application);
    }
}

static void
saved_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmNoteEditor *editor = FM_NOTE_EDITOR(source);
    const Note *note = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;
    bool is_shown = g_strcmp0(editor->path, note->path) == 0;

    hold_application(false);
    if (!g_task_propagate_boolean(G_TASK(result), &error)) {
        g_autofree char *sentence = fm_error_dup_local(error);
        tell(editor, sentence, true);
        return;
    }
    if (is_shown) {
        g_free(editor->saved_text);
        editor->saved_text = g_strdup(note->text);
        g_free(editor->saved_tags);
        editor->saved_tags = g_strdup(note->tags);
        tell(editor, _("The note is saved."), false);
        gtk_widget_set_sensitive(editor->save, is_changed(editor));
    }
    g_signal_emit(editor, signals[SAVED], 0, note->path);
}

static void
save(FmNoteEditor *editor)
{
    g_autoptr(GTask) task = NULL;

    if (!is_changed(editor)) {
        return;
    }
    Note *note = g_new0(Note, 1);
    note->path = g_strdup(editor->path);
    note->text = dup_text(editor);
    note->tags = g_strdup(gtk_editable_get_text(GTK_EDITABLE(editor->tags)));
    gtk_widget_set_sensitive(editor->save, FALSE);
    task = g_task_new(editor, NULL, saved_cb, NULL);
    g_task_set_task_data(task, note, note_free);
    hold_application(true);
    g_task_run_in_thread(task, save_cb);
}

static gboolean
save_key_cb(GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
    save(FM_NOTE_EDITOR(widget));
    return TRUE;
}

/* --- Widget ------------------------------------------------------------------------------ */

/* Another tab or page, or the window was closed. */
static void
fm_note_editor_unmap(GtkWidget *widget)
{
    save(FM_NOTE_EDITOR(widget));
    GTK_WIDGET_CLASS(fm_note_editor_parent_class)->unmap(widget);
}

static void
fm_note_editor_dispose(GObject *object)
{
    FmNoteEditor *editor = FM_NOTE_EDITOR(object);

    g_clear_pointer(&editor->box, gtk_widget_unparent);
    g_clear_pointer(&editor->path, g_free);
    g_clear_pointer(&editor->saved_text, g_free);
    g_clear_pointer(&editor->saved_tags, g_free);
    G_OBJECT_CLASS(fm_note_editor_parent_class)->dispose(object);
}

static void
fm_note_editor_class_init(FmNoteEditorClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_note_editor_dispose;
    widget_class->unmap = fm_note_editor_unmap;
    signals[SAVED] = g_signal_new("saved", FM_TYPE_NOTE_EDITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_row(FmNoteEditor *editor, const char *title, GtkWidget *control, GtkWidget *shown)
{
    GtkWidget *label = gtk_label_new_with_mnemonic(title);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), control);
    gtk_accessible_update_relation(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                   label, NULL, -1);
    gtk_box_append(GTK_BOX(editor->box), label);
    gtk_box_append(GTK_BOX(editor->box), shown);
}

static void
add_end(FmNoteEditor *editor)
{
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);

    editor->told = g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS,
                                "xalign", 0.0, "hexpand", TRUE, "wrap", TRUE, NULL);
    editor->save = gtk_button_new_with_mnemonic(_("_Save note"));
    gtk_widget_set_sensitive(editor->save, FALSE);
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(editor->told));
    gtk_box_append(GTK_BOX(row), editor->save);
    gtk_box_append(GTK_BOX(editor->box), row);
    g_signal_connect_swapped(editor->save, "clicked", G_CALLBACK(save), editor);
}

/* Before the text view, for which any Return is a new line. */
static void
add_save_key(FmNoteEditor *editor)
{
    GtkEventController *keys = gtk_shortcut_controller_new();

    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Return, GDK_CONTROL_MASK),
                         gtk_callback_action_new(save_key_cb, NULL, NULL)));
    gtk_widget_add_controller(GTK_WIDGET(editor), keys);
}

static void
fm_note_editor_init(FmNoteEditor *editor)
{
    GtkWidget *scroll = gtk_scrolled_window_new();

    editor->saved_text = g_strdup("");
    editor->saved_tags = g_strdup("");
    editor->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    gtk_widget_set_margin_top(editor->box, MARGIN);
    gtk_widget_set_margin_bottom(editor->box, MARGIN);
    gtk_widget_set_margin_start(editor->box, MARGIN);
    gtk_widget_set_margin_end(editor->box, MARGIN);
    editor->text = GTK_TEXT_VIEW(gtk_text_view_new());
    gtk_text_view_set_wrap_mode(editor->text, GTK_WRAP_WORD_CHAR);
    gtk_text_view_set_accepts_tab(editor->text, FALSE);
    gtk_text_view_set_left_margin(editor->text, SPACING);
    gtk_text_view_set_right_margin(editor->text, SPACING);
    gtk_text_view_set_top_margin(editor->text, SPACING);
    gtk_text_view_set_bottom_margin(editor->text, SPACING);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), GTK_WIDGET(editor->text));
    gtk_scrolled_window_set_has_frame(GTK_SCROLLED_WINDOW(scroll), TRUE);
    gtk_widget_set_vexpand(scroll, TRUE);
    editor->tags = GTK_ENTRY(gtk_entry_new());
    gtk_entry_set_placeholder_text(editor->tags, _("separated by commas"));
    add_row(editor, _("_Note"), GTK_WIDGET(editor->text), scroll);
    add_row(editor, _("_Tags"), GTK_WIDGET(editor->tags), GTK_WIDGET(editor->tags));
    add_end(editor);
    gtk_widget_set_parent(editor->box, GTK_WIDGET(editor));
    add_save_key(editor);
    g_signal_connect_swapped(gtk_text_view_get_buffer(editor->text), "changed",
                             G_CALLBACK(changed_cb), editor);
    g_signal_connect_swapped(editor->tags, "changed", G_CALLBACK(changed_cb), editor);
    g_signal_connect_swapped(editor->tags, "activate", G_CALLBACK(save), editor);
}

GtkWidget *
fm_note_editor_new(void)
{
    return g_object_new(FM_TYPE_NOTE_EDITOR, NULL);
}

/* @text of a file may hold anything; a text view takes UTF-8 only. */
static char *
dup_valid(const char *text)
{
    return text != NULL ? g_utf8_make_valid(text, -1) : g_strdup("");
}

void
fm_note_editor_set_run(FmNoteEditor *editor, FmLoadedRun *loaded)
{
    g_return_if_fail(FM_IS_NOTE_EDITOR(editor));
    save(editor);
    g_clear_pointer(&editor->path, g_free);
    g_free(editor->saved_text);
    g_free(editor->saved_tags);
    const FmRun *run = loaded != NULL ? fm_loaded_run_get_run(loaded) : NULL;
    g_autofree char *tags = run != NULL && run->tags != NULL ? g_strjoinv(", ", run->tags) : NULL;
    editor->saved_text = dup_valid(run != NULL ? run->user_text : NULL);
    editor->saved_tags = dup_valid(tags);
    editor->is_busy = loaded != NULL && fm_loaded_run_is_busy(loaded);
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(editor->text), editor->saved_text, -1);
    gtk_editable_set_text(GTK_EDITABLE(editor->tags), editor->saved_tags);
    editor->path = loaded != NULL ? g_strdup(fm_loaded_run_get_path(loaded)) : NULL;
    gtk_text_view_set_editable(editor->text, !editor->is_busy);
    gtk_editable_set_editable(GTK_EDITABLE(editor->tags), !editor->is_busy);
    gtk_widget_set_sensitive(editor->save, FALSE);
    tell(editor, editor->is_busy ? _("The note can be written when the run has ended.") : "",
         false);
}
