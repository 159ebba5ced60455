/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/device/pin.h"

#include "opencl/device/host.h"

struct _AmphistoClPin
{
  AmphistoClDevice *device; /* NULL: given up */
  cl_mem buffer;            /* owned */
  AmphistoClRange range;
};

/* Protects the pins' devices, and the devices' lists of pins: memory may be
 * freed while another thread frees the device. */
static GMutex pins_lock;

/* Call with the lock held. */
static void
give_up (AmphistoClPin *pin)
{
  AmphistoClDevice *device = g_steal_pointer (&pin->device);

  device->pins = g_slist_remove (device->pins, pin);
  amphisto_cl_pinned_remove (device, &pin->range);
  if (clReleaseMemObject (pin->buffer) != CL_SUCCESS)
    g_warning ("the buffer of pinned memory was not released");
}

AmphistoClPin *
amphisto_cl_pin_new (AmphistoClDevice *device, gpointer data, gsize size)
{
  const AmphistoClRange range = { data, size };
  AmphistoClPin *pin;
  cl_int status;
  cl_mem buffer;

  if (!amphisto_cl_pinned_reserve (device, size))
    return NULL;
  buffer = clCreateBuffer (device->context,
      CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_USE_HOST_PTR, size,
      data, &status);
  if (status != CL_SUCCESS) {
    amphisto_cl_pinned_remove (device, &range);
    return NULL;
  }
  pin = g_new (AmphistoClPin, 1);
  *pin = (AmphistoClPin){ device, buffer, range };
  amphisto_cl_pinned_add (device, &pin->range);
  g_mutex_lock (&pins_lock);
  device->pins = g_slist_prepend (device->pins, pin);
  g_mutex_unlock (&pins_lock);
  return pin;
}

gboolean
amphisto_cl_pin_is_for (
    const AmphistoClPin *pin, const AmphistoClDevice *device)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&pins_lock);

  return pin->device == device;
}

void
amphisto_cl_pin_free (AmphistoClPin *pin)
{
  g_mutex_lock (&pins_lock);
  if (pin->device != NULL)
    give_up (pin);
  g_mutex_unlock (&pins_lock);
  g_free (pin);
}

void
amphisto_cl_pins_clear_device (AmphistoClDevice *device)
{
  g_mutex_lock (&pins_lock);
  while (device->pins != NULL)
    give_up (device->pins->data);
  g_mutex_unlock (&pins_lock);
}
