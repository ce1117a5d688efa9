/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A place is a radio button.  They share one group over all cards, whose hidden member
 * stands for a target that is none of them.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/drive-card.h"

#include "base/label.h"
#include "base/text.h"
#include "ui/drive-badge.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    ICON_SIZE = 32,
    GAP = 12,
    SMALL_GAP = 6,
    REASON_INDENT = 40, /* below the words of the badge */
};

/* A mounted file system of the card. */
typedef struct {
    char *path;
    char *folder; /* where the test would go; NULL = not possible */
    GtkWidget *button;
    GtkWidget *detail;
} Place;

struct _FmDriveCard {
    GtkWidget parent_instance;
    FmChoice *choice;
    GtkCheckButton *group;
    char *key;
    GtkWidget *column;
    GtkWidget *icon;
    GtkWidget *name;
    GtkWidget *facts;
    GtkWidget *badge_icon;
    GtkWidget *badge_label;
    GtkWidget *reasons; /* expander */
    GtkWidget *reason_list; /* label in it */
    GtkWidget *place_box;
    GPtrArray *places;
    bool is_updating;
};

G_DEFINE_FINAL_TYPE(FmDriveCard, fm_drive_card, GTK_TYPE_WIDGET)

static void
place_free_cb(gpointer data)
{
    Place *place = (Place *)data;

    g_free(place->path);
    g_free(place->folder);
    g_free(place);
}

char *
fm_drive_row_dup_key(const FmDriveRow *row)
{
    return g_strdup_printf("%s %s", row->info->node, row->info->serial);
}

/* --- Text ---------------------------------------------------------------------------------- */

/* "PCIe 4.0 ×4", or what it runs at where it could do more; NULL = no PCIe. */
static char *
dup_link(const FmFacts *facts)
{
    static const struct {
        const char *speed; /* as sysfs begins it */
        const char *generation;
    } generations[] = {
        {"2.5 GT/s", "1.0"}, {"5.0 GT/s", "2.0"},  {"5 GT/s", "2.0"},  {"8.0 GT/s", "3.0"},
        {"8 GT/s", "3.0"},   {"16.0 GT/s", "4.0"}, {"16 GT/s", "4.0"}, {"32.0 GT/s", "5.0"},
        {"32 GT/s", "5.0"},  {"64.0 GT/s", "6.0"}, {"64 GT/s", "6.0"},
    };
    const char *speeds[] = {fm_facts_get_string(facts, "pcie.max-speed"),
                            fm_facts_get_string(facts, "pcie.speed")};
    const char *found[] = {NULL, NULL};
    uint64_t widths[] = {0, 0};

    if (!fm_facts_get_uint(facts, "pcie.max-width", &widths[0]) ||
        !fm_facts_get_uint(facts, "pcie.width", &widths[1])) {
        return NULL;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(speeds); i++) {
        for (gsize j = 0; speeds[i] != NULL && j < G_N_ELEMENTS(generations); j++) {
            if (g_str_has_prefix(speeds[i], generations[j].speed)) {
                found[i] = generations[j].generation;
            }
        }
    }
    if (found[0] == NULL || found[1] == NULL) {
        return NULL;
    }
    if (strcmp(found[0], found[1]) == 0 && widths[0] == widths[1]) {
        return g_strdup_printf("PCIe %s ×%u", found[1], (unsigned)widths[1]);
    }
    return g_strdup_printf(_("PCIe %s ×%u, running at %s ×%u ⚠"), found[0], (unsigned)widths[0],
                           found[1], (unsigned)widths[1]);
}

static void
append_fact(GString *text, const char *fact)
{
    if (fact != NULL && *fact != '\0') {
        g_autofree char *printable = fm_text_dup_printable(fact);
        g_string_append_printf(text, "%s%s", text->len > 0 ? " · " : "", printable);
    }
}

/* "2 TB · NVMe · PCIe 4.0 ×4 · firmware 4B2QJXD7". */
static char *
dup_facts(const FmDriveInfo *drive)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *size = drive->size > 0 ? fm_label_dup_capacity(drive->size, true) : NULL;
    g_autofree char *link = dup_link(drive->facts);

    append_fact(text, size != NULL ? size : _("size unknown"));
    append_fact(text, *drive->model != '\0' ? fm_drive_get_bus_name(drive) : NULL);
    append_fact(text, link);
    if (*drive->firmware != '\0') {
        g_autofree char *firmware = g_strdup_printf(_("firmware %s"), drive->firmware);
        append_fact(text, firmware);
    }
    return g_strdup(text->str);
}

static const char *
get_icon(const FmDriveInfo *drive)
{
    if (strcmp(drive->bus, "usb") == 0) {
        return "drive-harddisk-usb-symbolic";
    }
    if (strcmp(drive->bus, "md") == 0 || strcmp(drive->bus, "dm") == 0) {
        return "drive-multidisk-symbolic";
    }
    if (drive->removable) {
        return "drive-removable-media-symbolic";
    }
    return drive->rotational ? "drive-harddisk-symbolic" : "drive-harddisk-solidstate-symbolic";
}

/* "ext4 · 83.7 GB free of 252 GB · tests in /data/me". */
static char *
dup_place_detail(const FmDriveMount *mount)
{
    g_autoptr(GString) text = g_string_new(NULL);

    append_fact(text, mount->file_system);
    if (mount->size > 0) {
        g_autofree char *size = fm_label_dup_capacity(mount->size, true);
        g_autofree char *available = fm_label_dup_capacity(mount->free_bytes, true);
        g_autofree char *space = g_strdup_printf(_("%s free of %s"), available, size);
        append_fact(text, space);
    }
    if (mount->read_only) {
        append_fact(text, _("read-only"));
    } else if (mount->folder == NULL) {
        append_fact(text, _("you may not write here; choose a folder on it"));
    } else if (strcmp(mount->folder, mount->path) != 0) {
        g_autofree char *folder = g_strdup_printf(_("tests in %s"), mount->folder);
        append_fact(text, folder);
    }
    return g_strdup(text->str);
}

/* --- Places -------------------------------------------------------------------------------- */

static void
place_toggled_cb(GtkCheckButton *button, gpointer user_data)
{
    FmDriveCard *card = FM_DRIVE_CARD(user_data);

    if (card->is_updating || !gtk_check_button_get_active(button)) {
        return;
    }
    for (guint i = 0; i < card->places->len; i++) {
        const Place *place = (const Place *)g_ptr_array_index(card->places, i);
        if (place->button == GTK_WIDGET(button) && place->folder != NULL) {
            fm_choice_set_target(card->choice, place->folder);
        }
    }
}

static Place *
add_place(FmDriveCard *card, const char *path)
{
    Place *place = g_new0(Place, 1);
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    g_autofree char *printable = fm_text_dup_printable(path);

    place->path = g_strdup(path);
    place->button = gtk_check_button_new_with_label(printable);
    place->detail = gtk_label_new(NULL);
    gtk_check_button_set_group(GTK_CHECK_BUTTON(place->button), card->group);
    gtk_label_set_xalign(GTK_LABEL(place->detail), 0);
    gtk_label_set_ellipsize(GTK_LABEL(place->detail), PANGO_ELLIPSIZE_END);
    gtk_widget_set_hexpand(place->detail, TRUE);
    gtk_widget_add_css_class(place->detail, "muted");
    gtk_widget_add_css_class(place->detail, "numeric");
    gtk_box_append(GTK_BOX(row), place->button);
    gtk_box_append(GTK_BOX(row), place->detail);
    gtk_box_append(GTK_BOX(card->place_box), row);
    g_signal_connect(place->button, "toggled", G_CALLBACK(place_toggled_cb), card);
    g_ptr_array_add(card->places, place);
    return place;
}

static bool
has_same_places(FmDriveCard *card, const FmDriveRow *row)
{
    if (card->places->len != row->mounts->len) {
        return false;
    }
    for (guint i = 0; i < row->mounts->len; i++) {
        const Place *place = (const Place *)g_ptr_array_index(card->places, i);
        const FmDriveMount *mount = (const FmDriveMount *)g_ptr_array_index(row->mounts, i);
        if (strcmp(place->path, mount->path) != 0) {
            return false;
        }
    }
    return true;
}

static void
update_places(FmDriveCard *card, const FmDriveRow *row)
{
    if (!has_same_places(card, row)) {
        GtkWidget *child;
        while ((child = gtk_widget_get_first_child(card->place_box)) != NULL) {
            gtk_box_remove(GTK_BOX(card->place_box), child);
        }
        g_ptr_array_set_size(card->places, 0);
        for (guint i = 0; i < row->mounts->len; i++) {
            add_place(card, ((const FmDriveMount *)g_ptr_array_index(row->mounts, i))->path);
        }
    }
    for (guint i = 0; i < row->mounts->len; i++) {
        Place *place = (Place *)g_ptr_array_index(card->places, i);
        const FmDriveMount *mount = (const FmDriveMount *)g_ptr_array_index(row->mounts, i);
        g_autofree char *detail = dup_place_detail(mount);
        g_free(place->folder);
        place->folder = g_strdup(mount->folder);
        gtk_label_set_label(GTK_LABEL(place->detail), detail);
        gtk_widget_set_tooltip_text(place->detail, detail);
        gtk_widget_set_sensitive(place->button, place->folder != NULL);
        gtk_accessible_update_property(GTK_ACCESSIBLE(place->button),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail, -1);
    }
    gtk_widget_set_visible(card->place_box, row->mounts->len > 0);
}

void
fm_drive_card_update_choice(FmDriveCard *card)
{
    const char *target = fm_choice_get_target_text(card->choice);

    card->is_updating = true;
    for (guint i = 0; i < card->places->len; i++) {
        const Place *place = (const Place *)g_ptr_array_index(card->places, i);
        if (place->folder != NULL && g_strcmp0(place->folder, target) == 0) {
            gtk_check_button_set_active(GTK_CHECK_BUTTON(place->button), TRUE);
        }
    }
    card->is_updating = false;
}

/* --- The drive ----------------------------------------------------------------------------- */

void
fm_drive_card_update(FmDriveCard *card, const FmDriveRow *row)
{
    FmBadge badge = fm_badge_of_drive(row->info);
    g_autofree char *name = fm_drive_dup_name(row->info);
    g_autofree char *facts = dup_facts(row->info);
    g_autofree char *badge_text = fm_badge_dup_text(badge, row->info);
    g_auto(GStrv) reasons = fm_badge_dup_reasons(badge, row->info);
    g_autofree char *reason_text = g_strjoinv("\n", reasons);

    g_free(card->key);
    card->key = fm_drive_row_dup_key(row);
    gtk_image_set_from_icon_name(GTK_IMAGE(card->icon), get_icon(row->info));
    gtk_label_set_label(GTK_LABEL(card->name), name);
    gtk_label_set_label(GTK_LABEL(card->facts), facts);
    gtk_image_set_from_icon_name(GTK_IMAGE(card->badge_icon), fm_badge_get_icon(badge));
    gtk_label_set_label(GTK_LABEL(card->badge_label), badge_text);
    gtk_label_set_label(GTK_LABEL(card->reason_list), reason_text);
    gtk_accessible_update_property(GTK_ACCESSIBLE(card), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, facts, -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(card->reasons), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   badge_text, -1);
    update_places(card, row);
    fm_drive_card_update_choice(card);
}

const char *
fm_drive_card_get_key(FmDriveCard *card)
{
    return card->key;
}

/* --- Widget -------------------------------------------------------------------------------- */

static GtkWidget *
build_label(const char *css_class)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(label, css_class);
    return label;
}

static GtkWidget *
build_head(FmDriveCard *card)
{
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    GtkWidget *names = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    card->icon = gtk_image_new();
    gtk_image_set_pixel_size(GTK_IMAGE(card->icon), ICON_SIZE);
    card->name = build_label("heading");
    card->facts = build_label("muted");
    gtk_widget_set_hexpand(names, TRUE);
    gtk_box_append(GTK_BOX(names), card->name);
    gtk_box_append(GTK_BOX(names), card->facts);
    gtk_box_append(GTK_BOX(head), card->icon);
    gtk_box_append(GTK_BOX(head), names);
    return head;
}

/* The badge is the title of its own reasons. */
static GtkWidget *
build_badge(FmDriveCard *card)
{
    GtkWidget *badge = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SMALL_GAP);

    card->badge_icon = gtk_image_new();
    card->badge_label = build_label("badge-text");
    gtk_box_append(GTK_BOX(badge), card->badge_icon);
    gtk_box_append(GTK_BOX(badge), card->badge_label);
    card->reasons = gtk_expander_new(NULL);
    card->reason_list = build_label("muted");
    gtk_label_set_ellipsize(GTK_LABEL(card->reason_list), PANGO_ELLIPSIZE_NONE);
    gtk_label_set_wrap(GTK_LABEL(card->reason_list), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(card->reason_list), PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_margin_top(card->reason_list, SMALL_GAP);
    gtk_widget_set_margin_start(card->reason_list, REASON_INDENT);
    gtk_expander_set_label_widget(GTK_EXPANDER(card->reasons), badge);
    gtk_expander_set_child(GTK_EXPANDER(card->reasons), card->reason_list);
    return card->reasons;
}

static void
fm_drive_card_dispose(GObject *object)
{
    FmDriveCard *card = FM_DRIVE_CARD(object);

    g_clear_pointer(&card->column, gtk_widget_unparent);
    g_clear_object(&card->choice);
    g_clear_pointer(&card->places, g_ptr_array_unref);
    g_clear_pointer(&card->key, g_free);
    G_OBJECT_CLASS(fm_drive_card_parent_class)->dispose(object);
}

static void
fm_drive_card_class_init(FmDriveCardClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = fm_drive_card_dispose;
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
    gtk_widget_class_set_css_name(widget_class, "card");
}

static void
fm_drive_card_init(FmDriveCard *card)
{
    card->places = g_ptr_array_new_with_free_func(place_free_cb);
    card->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);
    card->place_box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SMALL_GAP);
    gtk_widget_add_css_class(card->column, "card");
    gtk_box_append(GTK_BOX(card->column), build_head(card));
    gtk_box_append(GTK_BOX(card->column), card->place_box);
    gtk_box_append(GTK_BOX(card->column), build_badge(card));
    gtk_widget_set_parent(card->column, GTK_WIDGET(card));
}

GtkWidget *
fm_drive_card_new(FmChoice *choice, GtkCheckButton *group)
{
    FmDriveCard *card = g_object_new(FM_TYPE_DRIVE_CARD, NULL);

    card->choice = g_object_ref(choice);
    card->group = group;
    return GTK_WIDGET(card);
}
