/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "element/flow/device.h"

GST_DEBUG_CATEGORY_EXTERN (gst_amphisto_debug);
#define GST_CAT_DEFAULT gst_amphisto_debug

void
gst_amphisto_device_init (GstAmphistoDevice *self, GstElement *element)
{
  *self = (GstAmphistoDevice){ .element = element };
}

void
gst_amphisto_device_clear (GstAmphistoDevice *self)
{
  g_clear_pointer (&self->choice, g_free);
  g_clear_pointer (&self->name, g_free);
}

/* --- errors --- */

/* Marks the device as lost, if the error says so. */
static void
lose_device (GstAmphistoDevice *self, const GError *error)
{
  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_LOST))
    amphisto_cl_device_mark_lost (self->device);
}

void
gst_amphisto_device_post_error (
    GstAmphistoDevice *self, const GError *error, GstLibraryError call_code)
{
  GQuark domain = error->domain;
  gint code = error->code;
  g_auto (GStrv) parts = g_strsplit (error->message, "\n", 2);
  gchar *text = g_strdup (parts[0]);

  if (g_error_matches (error, AMPHISTO_CL_ERROR, AMPHISTO_CL_ERROR_NOT_FOUND)) {
    domain = GST_RESOURCE_ERROR;
    code = GST_RESOURCE_ERROR_NOT_FOUND;
  } else if (error->domain == AMPHISTO_CL_ERROR) {
    domain = GST_LIBRARY_ERROR;
    code = error->code == AMPHISTO_CL_ERROR_BUILD ? GST_LIBRARY_ERROR_INIT
                                                  : call_code;
  }
  if (error->domain == AMPHISTO_CL_ERROR && self->device != NULL) {
    lose_device (self, error);
    g_free (text);
    text = g_strdup_printf (
        "OpenCL failed on %s: %s", self->device->name, parts[0]);
  }
  gst_element_message_full (self->element, GST_MESSAGE_ERROR, domain, code,
      text, g_strdup (parts[1]), __FILE__, GST_FUNCTION, __LINE__);
}

/* --- opening --- */

static void
set_name (GstAmphistoDevice *self, const gchar *name)
{
  GST_OBJECT_LOCK (self->element);
  g_free (self->name);
  self->name = g_strdup (name);
  GST_OBJECT_UNLOCK (self->element);
  g_object_notify (G_OBJECT (self->element), "device-name");
}

void
gst_amphisto_device_close (GstAmphistoDevice *self)
{
  if (self->search == NULL)
    return;
  g_clear_pointer (&self->device, amphisto_cl_device_close);
  g_clear_pointer (&self->search, amphisto_cl_search_free);
  g_clear_pointer (&self->opened_choice, g_free);
  set_name (self, NULL);
}

/* Opens the next device that the search finds. */
static gboolean
open_next (GstAmphistoDevice *self)
{
  g_autoptr (GError) error = NULL;

  self->device = amphisto_cl_search_next (self->search, &error);
  if (self->device == NULL) {
    gst_amphisto_device_close (self);
    gst_amphisto_device_post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  set_name (self, self->device->name);
  GST_INFO_OBJECT (self->element, "using device \"%s\"", self->device->name);
  return TRUE;
}

gboolean
gst_amphisto_device_open (GstAmphistoDevice *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *choice = NULL;

  GST_OBJECT_LOCK (self->element);
  choice = g_strdup (self->choice);
  GST_OBJECT_UNLOCK (self->element);

  if (self->device != NULL && g_strcmp0 (choice, self->opened_choice) == 0
      && !amphisto_cl_device_is_lost (self->device))
    return TRUE;
  gst_amphisto_device_close (self);
  self->search = amphisto_cl_search_new (choice, &error);
  if (self->search == NULL) {
    gst_amphisto_device_post_error (self, error, GST_LIBRARY_ERROR_INIT);
    return FALSE;
  }
  self->opened_choice = g_steal_pointer (&choice);
  return open_next (self);
}

gboolean
gst_amphisto_device_replace (GstAmphistoDevice *self, const GError *why)
{
  amphisto_cl_search_reject (self->search, why);
  lose_device (self, why);
  g_clear_pointer (&self->device, amphisto_cl_device_close);
  return open_next (self);
}
