/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine and the system as facts (METHODOLOGY 3.1, 11 and 19.2.1).  Reads sysfs
 * and /proc and changes nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include "config.h"
#include "platform/linux/sysfs.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

/* The value of the first line "key   : value" of cpuinfo, meminfo or os-release. */
static char *
dup_line_value(const char *text, const char *key, const char *separators)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    gsize length = strlen(key);
    for (char **line = lines; *line != NULL; line++) {
        if (strncmp(*line, key, length) != 0) {
            continue;
        }
        const char *rest = *line + length;
        while (*rest == ' ' || *rest == '\t') {
            rest++;
        }
        if (*rest != '\0' && strchr(separators, *rest) != NULL) {
            return plat_clean_text(rest + 1);
        }
    }
    return NULL;
}

static char *
read_proc(const char *name)
{
    g_autofree char *path = plat_proc_path("%s", name);
    char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return g_strdup("");
    }
    return text;
}

static void
set_text(FmFacts *facts, const char *name, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        fm_facts_set_unknown(facts, name, "the kernel does not tell");
    } else {
        fm_facts_set_string(facts, name, text);
    }
}

/* --- Processors --------------------------------------------------------------- */

static void
add_cpu_model(FmFacts *facts, const char *cpuinfo)
{
    static const char *const keys[] = {"model name", "Model", "Hardware", "cpu model", "cpu"};
    g_autofree char *model = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(keys) && model == NULL; i++) {
        model = dup_line_value(cpuinfo, keys[i], ":");
    }
    set_text(facts, "cpu.model", model);
    g_autofree char *microcode = dup_line_value(cpuinfo, "microcode", ":");
    set_text(facts, "cpu.microcode", microcode);
}

/* Number of CPUs in a list such as "0-7,16". */
static uint64_t
count_list(const char *list)
{
    g_auto(GStrv) parts = g_strsplit(list, ",", -1);
    uint64_t n = 0;
    for (char **part = parts; *part != NULL; part++) {
        char *end = NULL;
        guint64 first = g_ascii_strtoull(*part, &end, 10);
        if (end == *part) {
            continue;
        }
        guint64 last = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 10) : first;
        n += last >= first ? last - first + 1 : 0;
    }
    return n;
}

static bool
is_cpu_name(const char *name)
{
    return g_str_has_prefix(name, "cpu") && g_ascii_isdigit(name[3]);
}

/* A core is a set of sibling threads; a socket is a package number. */
static void
add_topology(FmFacts *facts)
{
    g_autofree char *root = plat_sysfs_path("devices/system/cpu");
    g_auto(GStrv) names = plat_sysfs_list(root);
    g_autoptr(GHashTable) cores = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) sockets = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (char **name = names; *name != NULL; name++) {
        if (!is_cpu_name(*name)) {
            continue;
        }
        g_autofree char *topology = g_build_filename(root, *name, "topology", NULL);
        char *siblings = plat_sysfs_read(topology, "thread_siblings_list");
        char *package = plat_sysfs_read(topology, "physical_package_id");
        if (siblings != NULL) {
            g_hash_table_add(cores, siblings);
        }
        if (package != NULL) {
            g_hash_table_add(sockets, package);
        }
    }

    g_autofree char *online = plat_sysfs_read(root, "online");
    if (online != NULL) {
        fm_facts_set_uint(facts, "cpu.threads", count_list(online));
    } else {
        fm_facts_set_unknown(facts, "cpu.threads", "the kernel does not tell");
    }
    if (g_hash_table_size(cores) == 0) {
        fm_facts_set_unknown(facts, "cpu.cores", "the kernel does not tell");
        fm_facts_set_unknown(facts, "cpu.sockets", "the kernel does not tell");
        return;
    }
    fm_facts_set_uint(facts, "cpu.cores", g_hash_table_size(cores));
    fm_facts_set_uint(facts, "cpu.sockets", g_hash_table_size(sockets));
}

static void
add_core_kind(FmFacts *facts, const char *fact, const char *device)
{
    g_autofree char *root = plat_sysfs_path("devices/%s", device);
    g_autofree char *list = plat_sysfs_read(root, "cpus");
    if (list != NULL) {
        fm_facts_set_uint(facts, fact, count_list(list));
    }
}

/* "performance", or "performance, powersave" where CPUs differ. */
static void
add_governor(FmFacts *facts)
{
    g_autofree char *root = plat_sysfs_path("devices/system/cpu/cpufreq");
    g_auto(GStrv) policies = plat_sysfs_list(root);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GString *text = g_string_new(NULL);
    for (char **policy = policies; *policy != NULL; policy++) {
        g_autofree char *directory = g_build_filename(root, *policy, NULL);
        char *governor = plat_sysfs_read(directory, "scaling_governor");
        if (governor != NULL && !g_hash_table_contains(seen, governor)) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", governor);
        }
        if (governor != NULL) {
            g_hash_table_add(seen, governor);
        }
        plat_sysfs_fact_string(facts, "cpu.frequency-driver", directory, "scaling_driver");
    }
    if (text->len > 0) {
        fm_facts_set_string(facts, "cpu.governor", text->str);
    } else {
        fm_facts_set_unknown(facts, "cpu.governor", "no frequency scaling on this machine");
    }
    g_string_free(text, TRUE);
}

static void
add_turbo(FmFacts *facts)
{
    g_autofree char *root = plat_sysfs_path("devices/system/cpu");
    uint64_t value;
    if (plat_sysfs_read_uint(root, "intel_pstate/no_turbo", &value)) {
        fm_facts_set_bool(facts, "cpu.turbo", value == 0);
    } else if (plat_sysfs_read_uint(root, "cpufreq/boost", &value)) {
        fm_facts_set_bool(facts, "cpu.turbo", value != 0);
    } else {
        fm_facts_set_unknown(facts, "cpu.turbo", "no frequency scaling on this machine");
    }
}

static void
add_processors(FmFacts *facts)
{
    g_autofree char *cpuinfo = read_proc("cpuinfo");
    add_cpu_model(facts, cpuinfo);
    add_topology(facts);
    add_core_kind(facts, "cpu.performance-threads", "cpu_core");
    add_core_kind(facts, "cpu.efficiency-threads", "cpu_atom");
    g_autofree char *root = plat_sysfs_path("devices/system/cpu");
    plat_sysfs_fact_string(facts, "cpu.smt", root, "smt/control");
    add_governor(facts);
    add_turbo(facts);
}

/* --- Machine ------------------------------------------------------------------ */

static void
add_machine(FmFacts *facts)
{
    g_autofree char *dmi = plat_sysfs_path("class/dmi/id");
    plat_sysfs_fact_string(facts, "machine.vendor", dmi, "sys_vendor");
    plat_sysfs_fact_string(facts, "machine.product", dmi, "product_name");
    plat_sysfs_fact_string(facts, "board.vendor", dmi, "board_vendor");
    plat_sysfs_fact_string(facts, "board.name", dmi, "board_name");
    plat_sysfs_fact_string(facts, "bios.version", dmi, "bios_version");
    plat_sysfs_fact_string(facts, "bios.date", dmi, "bios_date");

    g_autofree char *meminfo = read_proc("meminfo");
    g_autofree char *total = dup_line_value(meminfo, "MemTotal", ":");
    guint64 kib = total != NULL ? g_ascii_strtoull(total, NULL, 10) : 0;
    if (kib > 0) {
        fm_facts_set_uint(facts, "memory.bytes", kib * 1024);
    } else {
        fm_facts_set_unknown(facts, "memory.bytes", "the kernel does not tell");
    }
}

/* The name of the hypervisor where something tells it; "yes" where only its presence
 * shows; "no" where nothing hints at one. */
static void
add_virtual(FmFacts *facts)
{
    static const struct {
        const char *text;
        const char *name;
    } vendors[] = {
        {"QEMU", "qemu"},
        {"KVM", "kvm"},
        {"VMware", "vmware"},
        {"innotek", "virtualbox"},
        {"VirtualBox", "virtualbox"},
        {"Xen", "xen"},
        {"Amazon EC2", "amazon"},
        {"Google", "google"},
        {"Parallels", "parallels"},
        {"Virtual Machine", "hyper-v"},
    };
    const char *vendor = fm_facts_get_string(facts, "machine.vendor");
    const char *product = fm_facts_get_string(facts, "machine.product");
    g_autofree char *cpuinfo = read_proc("cpuinfo");
    g_autofree char *flags = dup_line_value(cpuinfo, "flags", ":");
    bool guest = flags != NULL && strstr(flags, " hypervisor") != NULL;

    const char *name = guest ? "yes" : "no";
    for (gsize i = 0; i < G_N_ELEMENTS(vendors); i++) {
        if ((vendor != NULL && strstr(vendor, vendors[i].text) != NULL) ||
            (product != NULL && strstr(product, vendors[i].text) != NULL)) {
            /* A real machine of a vendor that also rents virtual ones has no flag. */
            name = guest || flags == NULL ? vendors[i].name : name;
            break;
        }
    }
    fm_facts_set_string(facts, "machine.virtual", name);
}

static void
add_container(FmFacts *facts)
{
    const char *name = g_getenv("container");
    if (name == NULL && g_file_test("/run/.containerenv", G_FILE_TEST_EXISTS)) {
        name = "podman";
    }
    if (name == NULL && g_file_test("/.dockerenv", G_FILE_TEST_EXISTS)) {
        name = "docker";
    }
    if (name == NULL && g_file_test("/.flatpak-info", G_FILE_TEST_EXISTS)) {
        name = "flatpak";
    }
    fm_facts_set_string(facts, "machine.container", name != NULL ? name : "no");
}

/* "ac" when a mains supply is on, else "battery" when one discharges. */
static void
add_power_source(FmFacts *facts)
{
    g_autofree char *root = plat_sysfs_path("class/power_supply");
    g_auto(GStrv) names = plat_sysfs_list(root);
    bool mains = false;
    bool battery = false;
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *directory = g_build_filename(root, *name, NULL);
        g_autofree char *type = plat_sysfs_read(directory, "type");
        g_autofree char *scope = plat_sysfs_read(directory, "scope");
        g_autofree char *status = plat_sysfs_read(directory, "status");
        uint64_t online = 0;
        plat_sysfs_read_uint(directory, "online", &online);
        if (scope != NULL && strcmp(scope, "Device") == 0) {
            continue; /* a mouse */
        }
        mains = mains || (g_strcmp0(type, "Battery") != 0 && online == 1);
        battery =
            battery || (g_strcmp0(type, "Battery") == 0 && g_strcmp0(status, "Discharging") == 0);
    }
    fm_facts_set_string(facts, "power.source", battery && !mains ? "battery" : "ac");
    g_autofree char *firmware = plat_sysfs_path("firmware/acpi");
    plat_sysfs_fact_string(facts, "power.profile", firmware, "platform_profile");
}

/* --- System ------------------------------------------------------------------- */

static void
add_system(FmFacts *facts)
{
    struct utsname name;
    if (uname(&name) == 0) {
        fm_facts_set_string(facts, "kernel.release", name.release);
        fm_facts_set_string(facts, "kernel.version", name.version);
        fm_facts_set_string(facts, "machine.architecture", name.machine);
    }
    g_autofree char *release = NULL;
    if (!g_file_get_contents("/etc/os-release", &release, NULL, NULL)) {
        g_file_get_contents("/usr/lib/os-release", &release, NULL, NULL);
    }
    g_autofree char *pretty = release != NULL ? dup_line_value(release, "PRETTY_NAME", "=") : NULL;
    g_autofree char *bare = pretty != NULL ? g_shell_unquote(pretty, NULL) : NULL;
    set_text(facts, "os.name", bare != NULL ? bare : pretty);

    g_autofree char *clock = plat_sysfs_path("devices/system/clocksource/clocksource0");
    plat_sysfs_fact_string(facts, "clock.source", clock, "current_clocksource");
    g_autofree char *disabled = plat_proc_path("sys/kernel/io_uring_disabled");
    plat_sysfs_fact_uint(facts, "kernel.io-uring-disabled", disabled, NULL);
}

static void
add_choice(FmFacts *facts, const char *fact, const char *path)
{
    g_autofree char *text = plat_sysfs_read(path, NULL);
    g_autofree char *word = text != NULL ? plat_bracketed_word(text) : NULL;
    set_text(facts, fact, word);
}

static void
add_settings(FmFacts *facts)
{
    g_autofree char *thp = plat_sysfs_path("kernel/mm/transparent_hugepage/enabled");
    add_choice(facts, "memory.transparent-huge-pages", thp);
    g_autofree char *aspm = plat_sysfs_path("module/pcie_aspm/parameters/policy");
    add_choice(facts, "pcie.aspm-policy", aspm);
    g_autofree char *nvme = plat_sysfs_path("module/nvme/parameters");
    plat_sysfs_fact_uint(facts, "nvme.poll-queues", nvme, "poll_queues");
    g_autofree char *core = plat_sysfs_path("module/nvme_core/parameters");
    plat_sysfs_fact_uint(facts, "nvme.power-state-latency-us", core, "default_ps_max_latency_us");
}

static void
add_limit(FmFacts *facts, const char *fact, int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) {
        fm_facts_set_unknown(facts, fact, "the kernel does not tell");
    } else if (limit.rlim_cur == RLIM_INFINITY) {
        fm_facts_set_string(facts, fact, "unlimited");
    } else {
        fm_facts_set_uint(facts, fact, limit.rlim_cur);
    }
}

static void
add_moment(FmFacts *facts)
{
    g_autofree char *uptime = read_proc("uptime");
    g_autofree char *load = read_proc("loadavg");
    if (uptime[0] != '\0') {
        fm_facts_set_double(facts, "system.uptime-s", g_ascii_strtod(uptime, NULL));
    } else {
        fm_facts_set_unknown(facts, "system.uptime-s", "the kernel does not tell");
    }
    if (load[0] != '\0') {
        fm_facts_set_double(facts, "system.load-1min", g_ascii_strtod(load, NULL));
    } else {
        fm_facts_set_unknown(facts, "system.load-1min", "the kernel does not tell");
    }
}

FmFacts *
plat_environment(void)
{
    FmFacts *facts = fm_facts_new();
    fm_facts_set_string(facts, "program.version", FM_VERSION);
    add_processors(facts);
    add_machine(facts);
    add_virtual(facts);
    add_container(facts);
    add_power_source(facts);
    add_system(facts);
    add_settings(facts);
    add_limit(facts, "limit.locked-memory", RLIMIT_MEMLOCK);
    add_moment(facts);
    return facts;
}
