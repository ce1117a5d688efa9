/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Height is asked for the width that the child will have.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/column.h"

struct _FmColumn {
    GtkWidget parent_instance;
    GtkWidget *child;
    int max_width;
};

G_DEFINE_FINAL_TYPE(FmColumn, fm_column, GTK_TYPE_WIDGET)

static int
get_child_width(FmColumn *column, int width)
{
    int minimum;

    gtk_widget_measure(column->child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    return MAX(minimum, MIN(width, column->max_width));
}

static void
fm_column_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
    FmColumn *column = FM_COLUMN(widget);

    if (orientation == GTK_ORIENTATION_VERTICAL && for_size >= 0) {
        for_size = get_child_width(column, for_size);
    }
    gtk_widget_measure(column->child, orientation, for_size, minimum, natural, minimum_baseline,
                       natural_baseline);
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *natural = MAX(*minimum, MIN(*natural, column->max_width));
    }
}

static void
fm_column_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
    FmColumn *column = FM_COLUMN(widget);
    int child_width = get_child_width(column, width);
    GtkAllocation allocation = {(width - child_width) / 2, 0, child_width, height};

    gtk_widget_size_allocate(column->child, &allocation, baseline);
}

static GtkSizeRequestMode
fm_column_get_request_mode(GtkWidget *widget)
{
    return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fm_column_dispose(GObject *object)
{
    g_clear_pointer(&FM_COLUMN(object)->child, gtk_widget_unparent);
    G_OBJECT_CLASS(fm_column_parent_class)->dispose(object);
}

static void
fm_column_class_init(FmColumnClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = fm_column_dispose;
    widget_class->measure = fm_column_measure;
    widget_class->size_allocate = fm_column_size_allocate;
    widget_class->get_request_mode = fm_column_get_request_mode;
}

static void
fm_column_init(FmColumn *column)
{
    gtk_widget_set_hexpand(GTK_WIDGET(column), TRUE);
}

GtkWidget *
fm_column_new(int max_width, GtkWidget *child)
{
    FmColumn *column = g_object_new(FM_TYPE_COLUMN, NULL);

    column->max_width = max_width;
    column->child = child;
    gtk_widget_set_parent(child, GTK_WIDGET(column));
    return GTK_WIDGET(column);
}
