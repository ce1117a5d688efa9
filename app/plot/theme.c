/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three themes.  Each is derived from ink, paper and a table of role colours (DESIGN 5.3);
 * nothing else in figures names a colour.  Built once, then only read; any thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/theme.h"

#include <string.h>

typedef struct {
    unsigned light; /* 0xRRGGBB on white */
    unsigned dark;
    const double *dash;
    unsigned n_dash;
    FmMarker marker;
} RoleEntry;

static const double dash_long[] = {6, 3};
static const double dash_dot[] = {2, 2};
static const double dash_mixed[] = {8, 3, 2, 3};
static const double dash_longer[] = {12, 3};
static const double dash_double[] = {6, 2, 2, 2, 2, 2};
static const double dash_sparse[] = {3, 6};
static const double dash_far[] = {10, 2, 5, 2};

static const RoleEntry role_table[FM_N_ROLES] = {
    [FM_ROLE_SERIES_1] = {0x0747AB, 0x6FA0FF, NULL, 0, FM_MARKER_CIRCLE},
    [FM_ROLE_SERIES_2] = {0xD18036, 0xF5B26B, dash_long, 2, FM_MARKER_SQUARE},
    [FM_ROLE_SERIES_3] = {0x562643, 0xB86FA6, dash_dot, 2, FM_MARKER_UP},
    [FM_ROLE_SERIES_4] = {0x108979, 0x7BE0CB, dash_mixed, 4, FM_MARKER_DIAMOND},
    [FM_ROLE_SERIES_5] = {0xBC2644, 0xFF5D78, dash_longer, 2, FM_MARKER_DOWN},
    [FM_ROLE_SERIES_6] = {0x28480D, 0x889607, dash_double, 6, FM_MARKER_CROSS},
    [FM_ROLE_SERIES_7] = {0x7A48FE, 0xFFE300, dash_sparse, 2, FM_MARKER_PLUS},
    [FM_ROLE_SERIES_8] = {0x7B87AE, 0xB5B4D9, dash_far, 4, FM_MARKER_RING},
    [FM_ROLE_READ] = {0x0747AB, 0x6FA0FF, NULL, 0, FM_MARKER_CIRCLE},
    [FM_ROLE_WRITE] = {0xD18036, 0xF5B26B, dash_long, 2, FM_MARKER_SQUARE},
    [FM_ROLE_GOOD] = {0x108979, 0x7BE0CB, NULL, 0, FM_MARKER_DIAMOND},
    [FM_ROLE_BAD] = {0xBC2644, 0xFF5D78, dash_longer, 2, FM_MARKER_DOWN},
    [FM_ROLE_MUTED] = {0x6E6E76, 0x9A9AA4, NULL, 0, FM_MARKER_CIRCLE},
};

static FmColor
color_from_hex(unsigned hex)
{
    return (FmColor){
        .red = ((hex >> 16) & 255) / 255.0,
        .green = ((hex >> 8) & 255) / 255.0,
        .blue = (hex & 255) / 255.0,
    };
}

FmColor
fm_color_mix(FmColor a, FmColor b, double share)
{
    return (FmColor){
        .red = a.red + (b.red - a.red) * share,
        .green = a.green + (b.green - a.green) * share,
        .blue = a.blue + (b.blue - a.blue) * share,
    };
}

typedef struct {
    const char *name;
    unsigned ink;
    unsigned paper;
    double hairline;
    bool is_dark;
} ThemeSource;

static void
derive(FmTheme *theme, const ThemeSource *source)
{
    theme->name = source->name;
    theme->ink = color_from_hex(source->ink);
    theme->paper = color_from_hex(source->paper);
    theme->muted = fm_color_mix(theme->ink, theme->paper, 0.35);
    theme->axis = fm_color_mix(theme->ink, theme->paper, 0.45);
    theme->grid = fm_color_mix(theme->ink, theme->paper, 0.86);
    theme->sub_grid = fm_color_mix(theme->ink, theme->paper, 0.93);
    theme->hairline = source->hairline;
    for (unsigned i = 0; i < FM_N_ROLES; i++) {
        const RoleEntry *entry = &role_table[i];
        theme->roles[i] = (FmRoleStyle){
            .color = color_from_hex(source->is_dark ? entry->dark : entry->light),
            .dash = entry->dash,
            .n_dash = entry->n_dash,
            .marker = entry->marker,
        };
    }
}

enum { LIGHT, DARK, PRINT, N_THEMES };

static const FmTheme *
get_theme(unsigned which)
{
    static const ThemeSource sources[N_THEMES] = {
        [LIGHT] = {"light", 0x1A1A1E, 0xFFFFFF, 0.75, false},
        [DARK] = {"dark", 0xECECF0, 0x1E1E22, 0.75, true},
        [PRINT] = {"print", 0x1A1A1E, 0xFFFFFF, 0.5, false},
    };
    static FmTheme themes[N_THEMES];
    static gsize is_ready = 0;

    if (g_once_init_enter(&is_ready)) {
        for (unsigned i = 0; i < N_THEMES; i++) {
            derive(&themes[i], &sources[i]);
        }
        g_once_init_leave(&is_ready, 1);
    }
    return &themes[which];
}

const FmTheme *
fm_theme_light(void)
{
    return get_theme(LIGHT);
}

const FmTheme *
fm_theme_dark(void)
{
    return get_theme(DARK);
}

const FmTheme *
fm_theme_print(void)
{
    return get_theme(PRINT);
}

const FmTheme *
fm_theme_by_name(const char *name)
{
    for (unsigned i = 0; i < N_THEMES; i++) {
        if (strcmp(get_theme(i)->name, name) == 0) {
            return get_theme(i);
        }
    }
    return NULL;
}
