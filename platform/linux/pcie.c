/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PCI Express link of a device.  Link facts stand in sysfs; payload sizes only in
 * the configuration space, of which an ordinary user may read 64 bytes.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/pcie.h"

#include "platform/linux/sysfs.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    CAPABILITY_POINTER = 0x34,
    CAPABILITY_PCIE = 0x10,
    DEVICE_CONTROL = 8, /* offset in the capability; PCIe base specification 7.5.3.4 */
};

static char *
find_pcie_folder(const char *directory)
{
    g_autofree char *folder = g_strdup(directory);
    while (strlen(folder) > 1) {
        g_autofree char *speed = g_build_filename(folder, "current_link_speed", NULL);
        if (g_file_test(speed, G_FILE_TEST_EXISTS)) {
            return g_steal_pointer(&folder);
        }
        char *parent = g_path_get_dirname(folder);
        g_free(folder);
        folder = parent;
    }
    return NULL;
}

/* Offset of the PCI Express capability, or 0. */
static gsize
find_capability(const uint8_t *config, gsize length)
{
    gsize at = length > CAPABILITY_POINTER ? config[CAPABILITY_POINTER] & 0xFCu : 0;
    for (int i = 0; i < 48 && at >= 0x40 && at + DEVICE_CONTROL + 2 <= length; i++) {
        if (config[at] == CAPABILITY_PCIE) {
            return at;
        }
        at = config[at + 1] & 0xFCu;
    }
    return 0;
}

static void
add_payload_sizes(FmFacts *facts, const char *folder)
{
    g_autofree char *path = g_build_filename(folder, "config", NULL);
    g_autofree char *content = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &content, &length, NULL) || length <= 64) {
        const char *reason = N_("only an administrator may read it");
        fm_facts_set_unknown(facts, "pcie.max-payload-bytes", reason);
        fm_facts_set_unknown(facts, "pcie.max-read-request-bytes", reason);
        return;
    }
    const uint8_t *config = (const uint8_t *)content;
    gsize at = find_capability(config, length);
    if (at == 0) {
        return;
    }
    unsigned control = config[at + DEVICE_CONTROL] | (unsigned)config[at + DEVICE_CONTROL + 1] << 8;
    fm_facts_set_uint(facts, "pcie.max-payload-bytes", 128u << (control >> 5 & 7));
    fm_facts_set_uint(facts, "pcie.max-read-request-bytes", 128u << (control >> 12 & 7));
}

void
plat_pcie_add_facts(FmFacts *facts, const char *directory)
{
    g_autofree char *folder = find_pcie_folder(directory);
    if (folder == NULL) {
        return;
    }
    g_autofree char *address = g_path_get_basename(folder);
    fm_facts_set_string(facts, "pcie.address", address);
    plat_sysfs_fact_string(facts, "pcie.speed", folder, "current_link_speed");
    plat_sysfs_fact_uint(facts, "pcie.width", folder, "current_link_width");
    plat_sysfs_fact_string(facts, "pcie.max-speed", folder, "max_link_speed");
    plat_sysfs_fact_uint(facts, "pcie.max-width", folder, "max_link_width");
    add_payload_sizes(facts, folder);

    g_autofree char *link = g_build_filename(folder, "driver", NULL);
    g_autofree char *driver = g_file_read_link(link, NULL);
    g_autofree char *name = driver != NULL ? g_path_get_basename(driver) : NULL;
    if (name != NULL) {
        fm_facts_set_string(facts, "pcie.driver", name);
    }
}
