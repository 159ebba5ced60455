/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "opencl/run/staging.h"
#include "opencl/device/log.h"

#include <string.h>

#define MAX_PIECES 16
#define MIN_PIECE ((gsize) 256 * 1024)

/* A copy in progress, by several threads. A thread that starts late finds no
 * piece left. */
typedef struct
{
  GMutex lock;
  GCond changed;
  guint8 *to;
  const guint8 *from;
  gsize size;
  gsize piece;
  guint n_pieces;
  guint next;    /* the first piece that nobody has taken */
  guint n_ready; /* pieces before the first that is not yet copied */
  gboolean is_copied[MAX_PIECES];
} Copy;

static void
copy_clear (gpointer data)
{
  Copy *self = data;

  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

static Copy *
copy_new (guint8 *to, const guint8 *from, gsize size)
{
  const gsize piece = MAX (MIN_PIECE, (size + MAX_PIECES - 1) / MAX_PIECES);
  Copy *self = g_atomic_rc_box_new (Copy);

  *self = (Copy){ .to = to,
    .from = from,
    .size = size,
    .piece = piece,
    .n_pieces = (guint) ((size + piece - 1) / piece) };
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

/* Copies the next piece that nobody has taken. Call with the lock held.
 *
 * Returns: FALSE if there is none. */
static gboolean
copy_piece (Copy *self)
{
  const guint i = self->next;
  const gsize at = i * self->piece;

  if (i == self->n_pieces)
    return FALSE;
  self->next++;
  g_mutex_unlock (&self->lock);
  memcpy (self->to + at, self->from + at, MIN (self->piece, self->size - at));
  g_mutex_lock (&self->lock);
  self->is_copied[i] = TRUE;
  while (self->n_ready < self->n_pieces && self->is_copied[self->n_ready])
    self->n_ready++;
  g_cond_signal (&self->changed);
  return TRUE;
}

/* --- threads --- */

/* Copies pieces in a thread of the pool. */
static void
help (gpointer data, gpointer user_data)
{
  Copy *copy = data;

  (void) user_data;
  g_mutex_lock (&copy->lock);
  while (copy_piece (copy))
    continue;
  g_mutex_unlock (&copy->lock);
  g_atomic_rc_box_release_full (copy, copy_clear);
}

/* Without helpers, the caller copies alone. */
static void
call_helpers (AmphistoClDevice *device, Copy *copy)
{
  const guint n = MIN (device->n_copiers, copy->n_pieces - 1);

  if (n == 0)
    return;
  /* not with a lock that is held while kernels are built */
  if (g_once_init_enter (&device->shared->copiers))
    g_once_init_leave (&device->shared->copiers,
        g_thread_pool_new (
            help, NULL, AMPHISTO_CL_MAX_COPIERS - 1, FALSE, NULL));
  for (guint i = 0; i < n; i++)
    g_thread_pool_push (
        device->shared->copiers, g_atomic_rc_box_acquire (copy), NULL);
}

/* --- the upload --- */

/* Copies pieces, or waits for those of other threads, until piece `i` is
 * copied.
 *
 * Returns: the first piece behind it that is not. */
static guint
finish_piece (Copy *copy, guint i)
{
  guint n_ready;

  g_mutex_lock (&copy->lock);
  while (copy->n_ready <= i)
    if (!copy_piece (copy))
      g_cond_wait (&copy->changed, &copy->lock);
  n_ready = copy->n_ready;
  g_mutex_unlock (&copy->lock);
  return n_ready;
}

/* Uploads pieces as they are copied; neighbours that are ready are one write.
 * Returns when all are copied, since helpers read the memory until then. */
static gboolean
upload_pieces (Copy *copy, AmphistoClCommandQueue *queue, cl_mem buffer,
    gsize offset, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0, end; i < copy->n_pieces; i = end) {
    const gsize at = i * copy->piece;

    end = finish_piece (copy, i);
    ok = ok
        && amphisto_cl_command_queue_write (queue, buffer, offset + at,
            copy->to + at, MIN (end * copy->piece, copy->size) - at, error)
        && amphisto_cl_command_queue_flush (queue, error);
  }
  return ok;
}

gboolean
amphisto_cl_staging_write (AmphistoClHost **staging, gsize whole,
    AmphistoClCommandQueue *queue, cl_mem buffer, gsize offset,
    const void *data, gsize size, GError **error)
{
  Copy *copy;
  gboolean ok;

  if (*staging == NULL)
    AMPHISTO_CL_LOG (INFO,
        "frames are not pinned: %" G_GSIZE_FORMAT " bytes at %p are copied; "
        "helping threads: %u",
        size, data, queue->device->n_copiers);
  if (!amphisto_cl_host_grow (staging, queue->device, whole, error))
    return FALSE;
  copy = copy_new ((guint8 *) (*staging)->data + offset, data, size);
  call_helpers (queue->device, copy);
  ok = upload_pieces (copy, queue, buffer, offset, error);
  g_atomic_rc_box_release_full (copy, copy_clear);
  return ok;
}
