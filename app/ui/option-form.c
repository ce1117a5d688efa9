/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form keeps copies of what it needs of an option, since the plan is read anew after
 * every change.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/option-form.h"

#include "base/error.h"
#include "base/message.h"
#include "base/text.h"
#include "model/plan-reader.h"
#include "ui/form.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    GAP = 12,
    SMALL_GAP = 6,
    ENTRY_CHARS = 8,
};

typedef struct {
    FmOptionForm *form;
    FmOption option; /* a copy; label_ko and value are left out */
    GtkWidget *control;
    GtkWidget *error; /* label */
} Field;

struct _FmOptionForm {
    GtkWidget parent_instance;
    FmChoice *choice;
    GtkWidget *grid;
    char *plan_id; /* whose fields these are */
    GPtrArray *fields;
    bool is_filling;
};

G_DEFINE_FINAL_TYPE(FmOptionForm, fm_option_form, GTK_TYPE_WIDGET)

static void
field_free_cb(gpointer data)
{
    Field *field = (Field *)data;

    g_free(field->option.key);
    g_free(field->option.label);
    g_free(field->option.default_value);
    g_free(field->option.minimum);
    g_free(field->option.maximum);
    g_strfreev(field->option.choices);
    g_free(field);
}

static Field *
field_new(FmOptionForm *form, const FmOption *option)
{
    Field *field = g_new0(Field, 1);

    field->form = form;
    field->option.key = g_strdup(option->key);
    field->option.kind = option->kind;
    field->option.label = g_strdup(fm_message_choose(option->label, option->label_ko));
    field->option.default_value = g_strdup(option->default_value);
    field->option.can_be_off = option->can_be_off;
    field->option.minimum = g_strdup(option->minimum);
    field->option.maximum = g_strdup(option->maximum);
    field->option.choices = g_strdupv(option->choices);
    return field;
}

char *
fm_option_dup_possible(const FmOption *option)
{
    g_autofree char *range = NULL;

    if (option->minimum != NULL && option->maximum != NULL) {
        range = g_strdup_printf(_("%s to %s"), option->minimum, option->maximum);
    } else if (option->minimum != NULL) {
        range = g_strdup_printf(_("from %s"), option->minimum);
    } else if (option->maximum != NULL) {
        range = g_strdup_printf(_("up to %s"), option->maximum);
    } else {
        range = g_strdup("");
    }
    if (!option->can_be_off) {
        return g_steal_pointer(&range);
    }
    return g_strdup_printf(_("%s, or off"), range);
}

/* --- What is typed -------------------------------------------------------------------------- */

static void
show_error(Field *field, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *understood = fm_option_understand(&field->option, text, &error);
    g_autofree char *sentence = error != NULL ? fm_error_dup_local(error) : NULL;

    gtk_label_set_label(GTK_LABEL(field->error), sentence != NULL ? sentence : "");
    gtk_widget_set_visible(field->error, sentence != NULL);
    if (sentence != NULL) {
        gtk_widget_add_css_class(field->control, "error");
    } else {
        gtk_widget_remove_css_class(field->control, "error");
    }
    gtk_accessible_update_state(
        GTK_ACCESSIBLE(field->control), GTK_ACCESSIBLE_STATE_INVALID,
        sentence != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static void
set_value(Field *field, const char *text)
{
    if (!field->form->is_filling) {
        show_error(field, text);
        fm_choice_set_option(field->form->choice, field->option.key, text);
    }
}

static void
entry_changed_cb(GtkEditable *entry, gpointer user_data)
{
    set_value((Field *)user_data, gtk_editable_get_text(entry));
}

static void
choice_changed_cb(GtkDropDown *drop_down, GParamSpec *property, gpointer user_data)
{
    Field *field = (Field *)user_data;
    guint index = gtk_drop_down_get_selected(drop_down);

    if (index < g_strv_length(field->option.choices)) {
        set_value(field, field->option.choices[index]);
    }
}

static void
switch_changed_cb(GtkSwitch *control, GParamSpec *property, gpointer user_data)
{
    set_value((Field *)user_data, gtk_switch_get_active(control) ? "on" : "off");
}

static void
fill(Field *field)
{
    const char *text = fm_choice_get_option(field->form->choice, field->option.key);

    text = text != NULL ? text : field->option.default_value;
    field->form->is_filling = true;
    switch (field->option.kind) {
    case FM_OPTION_CHOICE:
        for (guint i = 0; field->option.choices[i] != NULL; i++) {
            if (strcmp(field->option.choices[i], text) == 0) {
                gtk_drop_down_set_selected(GTK_DROP_DOWN(field->control), i);
            }
        }
        break;
    case FM_OPTION_SWITCH:
        gtk_switch_set_active(GTK_SWITCH(field->control), strcmp(text, "on") == 0);
        break;
    case FM_OPTION_SIZE:
    case FM_OPTION_TIME:
    case FM_OPTION_COUNT:
    case FM_OPTION_PERCENT:
        if (strcmp(gtk_editable_get_text(GTK_EDITABLE(field->control)), text) != 0) {
            gtk_editable_set_text(GTK_EDITABLE(field->control), text);
        }
        break;
    }
    show_error(field, text);
    field->form->is_filling = false;
}

/* --- Controls -------------------------------------------------------------------------------- */

static GtkWidget *
build_control(Field *field)
{
    GtkWidget *control = NULL;

    switch (field->option.kind) {
    case FM_OPTION_CHOICE:
        control = gtk_drop_down_new_from_strings((const char *const *)field->option.choices);
        g_signal_connect(control, "notify::selected", G_CALLBACK(choice_changed_cb), field);
        break;
    case FM_OPTION_SWITCH:
        control = gtk_switch_new();
        gtk_widget_set_halign(control, GTK_ALIGN_START);
        g_signal_connect(control, "notify::active", G_CALLBACK(switch_changed_cb), field);
        break;
    case FM_OPTION_SIZE:
    case FM_OPTION_TIME:
    case FM_OPTION_COUNT:
    case FM_OPTION_PERCENT:
        control = gtk_entry_new();
        gtk_editable_set_width_chars(GTK_EDITABLE(control), ENTRY_CHARS);
        gtk_editable_set_max_width_chars(GTK_EDITABLE(control), ENTRY_CHARS);
        g_signal_connect(control, "changed", G_CALLBACK(entry_changed_cb), field);
        break;
    }
    gtk_widget_set_valign(control, GTK_ALIGN_CENTER);
    return control;
}

static GtkWidget *
build_label(const char *text, const char *css_class)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    if (css_class != NULL) {
        gtk_widget_add_css_class(label, css_class);
    }
    return label;
}

/* Two rows of the grid: the control, and what is wrong with it. */
static void
add_field(FmOptionForm *form, const FmOption *option)
{
    Field *field = field_new(form, option);
    int row = (int)form->fields->len * 2;
    g_autofree char *printable = fm_text_dup_printable(field->option.label);
    g_autofree char *possible = fm_option_dup_possible(option);
    GtkWidget *label = build_label(printable, NULL);
    GtkWidget *hint = build_label(possible, "muted");

    field->control = build_control(field);
    field->error = build_label(NULL, "error-text");
    gtk_widget_set_hexpand(hint, TRUE);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), field->control);
    gtk_accessible_update_property(GTK_ACCESSIBLE(field->control), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   printable, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, possible, -1);
    if (option->kind == FM_OPTION_CHOICE) {
        fm_form_name_choice(field->control, printable);
    }
    gtk_grid_attach(GTK_GRID(form->grid), label, 0, row, 1, 1);
    gtk_grid_attach(GTK_GRID(form->grid), field->control, 1, row, 1, 1);
    gtk_grid_attach(GTK_GRID(form->grid), hint, 2, row, 1, 1);
    gtk_grid_attach(GTK_GRID(form->grid), field->error, 1, row + 1, 2, 1);
    g_ptr_array_add(form->fields, field);
}

static void
clear_fields(FmOptionForm *form)
{
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child(form->grid)) != NULL) {
        gtk_grid_remove(GTK_GRID(form->grid), child);
    }
    g_ptr_array_set_size(form->fields, 0);
    g_clear_pointer(&form->plan_id, g_free);
}

bool
fm_option_form_update(FmOptionForm *form)
{
    const FmPlan *plan = fm_choice_get_plan(form->choice);
    const char *id = fm_choice_get_plan_id(form->choice);
    bool is_same = g_strcmp0(form->plan_id, id) == 0;

    if (!is_same) {
        clear_fields(form);
    }
    /* A plan that can't be read because of an option keeps its fields. */
    if (plan != NULL && !is_same) {
        form->plan_id = g_strdup(id);
        for (unsigned i = 0; i < plan->n_options; i++) {
            add_field(form, &plan->options[i]);
        }
    }
    for (guint i = 0; i < form->fields->len; i++) {
        fill((Field *)g_ptr_array_index(form->fields, i));
    }
    return form->fields->len > 0;
}

/* --- Widget --------------------------------------------------------------------------------- */

static void
fm_option_form_dispose(GObject *object)
{
    FmOptionForm *form = FM_OPTION_FORM(object);

    g_clear_pointer(&form->grid, gtk_widget_unparent);
    g_clear_pointer(&form->fields, g_ptr_array_unref);
    g_clear_pointer(&form->plan_id, g_free);
    g_clear_object(&form->choice);
    G_OBJECT_CLASS(fm_option_form_parent_class)->dispose(object);
}

static void
fm_option_form_class_init(FmOptionFormClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_option_form_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_option_form_init(FmOptionForm *form)
{
    form->grid = gtk_grid_new();
    form->fields = g_ptr_array_new_with_free_func(field_free_cb);
    gtk_grid_set_row_spacing(GTK_GRID(form->grid), SMALL_GAP);
    gtk_grid_set_column_spacing(GTK_GRID(form->grid), GAP);
    gtk_widget_set_parent(form->grid, GTK_WIDGET(form));
}

GtkWidget *
fm_option_form_new(FmChoice *choice)
{
    FmOptionForm *form = g_object_new(FM_TYPE_OPTION_FORM, NULL);

    form->choice = g_object_ref(choice);
    return GTK_WIDGET(form);
}
