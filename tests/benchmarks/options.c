/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "options.h"
#include "bench.h"
#include "lesser_cpu.h"

#include <gst/gst.h>

static gchar *choices[N_CHOICES];

void
parse_options (int *argc, char ***argv, guint n_choices)
{
  static gchar *cpu, *threads;
  GOptionEntry entries[] = {
    { "cpu", 0, 0, G_OPTION_ARG_STRING, &cpu,
        "Compile kernels for a lesser CPU", LESSER_CPUS },
    { "threads", 0, 0, G_OPTION_ARG_STRING, &threads,
        "Threads of PoCL's usual driver", "NUMBER" },
    { "work", 0, 0, G_OPTION_ARG_STRING, &choices[CHOICE_WORK], "One work",
        "NAME" },
    { "picture", 0, 0, G_OPTION_ARG_STRING, &choices[CHOICE_PICTURE],
        "One picture", "NAME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &choices[CHOICE_SIZE], "One size",
        "WIDTHxHEIGHT" },
    { "format", 0, 0, G_OPTION_ARG_STRING, &choices[CHOICE_FORMAT],
        "One format", "NAME" },
    { 0 },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  entries[2 + n_choices] = (GOptionEntry){ 0 };
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error))
    bench_fail ("%s", error->message);
  if (cpu != NULL)
    lesser_cpu_pretend (cpu);
  if (threads != NULL)
    g_setenv ("POCL_MAX_PTHREAD_COUNT", threads, TRUE);
}

const gchar *
chosen (Choice choice)
{
  return choices[choice];
}

gboolean
is_chosen (Choice choice, const gchar *name)
{
  return choices[choice] == NULL || g_str_equal (choices[choice], name);
}
