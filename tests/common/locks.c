/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Tells ThreadSanitizer what GLib and GStreamer order: accesses before an
 * unlock and after the next lock, before and after a reference is dropped, and
 * so on. They are not instrumented, and make mutexes of futexes, which
 * ThreadSanitizer does not know. These functions stand before theirs. Calls
 * within GLib do not pass here, so GLib is left out (../thread.supp).
 */

#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <gst/gst.h>
#include <sanitizer/tsan_interface.h>

/* Declares `next`, the library's function. */
#define NEXT(name)                                                             \
  static __typeof__ (name) *next;                                              \
  if (g_atomic_pointer_get (&next) == NULL)                                    \
  g_atomic_pointer_set (&next, dlsym (RTLD_NEXT, #name))

/* --- mutexes: GLib makes the others of POSIX's --- */

void
g_mutex_lock (GMutex *mutex)
{
  NEXT (g_mutex_lock);
  __tsan_mutex_pre_lock (mutex, 0);
  next (mutex);
  __tsan_mutex_post_lock (mutex, 0, 1);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  const unsigned flags = __tsan_mutex_try_lock;
  gboolean is_locked;

  NEXT (g_mutex_trylock);
  __tsan_mutex_pre_lock (mutex, flags);
  is_locked = next (mutex);
  __tsan_mutex_post_lock (
      mutex, is_locked ? flags : flags | __tsan_mutex_try_lock_failed, 1);
  return is_locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  NEXT (g_mutex_unlock);
  __tsan_mutex_pre_unlock (mutex, 0);
  next (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

void
g_mutex_clear (GMutex *mutex)
{
  NEXT (g_mutex_clear);
  __tsan_mutex_destroy (mutex, 0);
  next (mutex);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  NEXT (g_cond_wait);
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  next (cond, mutex);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 1);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean is_signalled;

  NEXT (g_cond_wait_until);
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  is_signalled = next (cond, mutex, end_time);
  __tsan_mutex_pre_lock (mutex, 0);
  __tsan_mutex_post_lock (mutex, 0, 1);
  return is_signalled;
}

/* --- queues --- */

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  NEXT (g_async_queue_push);
  __tsan_release (queue);
  next (queue, data);
}

#define POP(name)                                                              \
  gpointer name (GAsyncQueue *queue)                                           \
  {                                                                            \
    gpointer data;                                                             \
                                                                               \
    NEXT (name);                                                               \
    data = next (queue);                                                       \
    __tsan_acquire (queue);                                                    \
    return data;                                                               \
  }

POP (g_async_queue_pop)
POP (g_async_queue_try_pop)

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout)
{
  gpointer data;

  NEXT (g_async_queue_timeout_pop);
  data = next (queue, timeout);
  __tsan_acquire (queue);
  return data;
}

/* --- thread pools --- */

typedef struct
{
  GFunc run;
  gpointer user_data;
} Work;

static void
run_work (gpointer data, gpointer user_data)
{
  Work *work = user_data;

  __tsan_acquire (work);
  work->run (data, work->user_data);
}

/* `work` lives as long as the process. */
GThreadPool *
g_thread_pool_new (GFunc run, gpointer user_data, gint max_threads,
    gboolean is_exclusive, GError **error)
{
  Work *work = g_new (Work, 1);

  NEXT (g_thread_pool_new);
  *work = (Work){ run, user_data };
  return next (run_work, work, max_threads, is_exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  NEXT (g_thread_pool_push);
  __tsan_release (pool->user_data);
  return next (pool, data, error);
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  static void (*next) (volatile void *, gsize);

  if (g_atomic_pointer_get (&next) == NULL)
    g_atomic_pointer_set (&next, dlsym (RTLD_NEXT, "g_once_init_leave"));
  __tsan_release ((void *) location);
  next (location, result);
}

/* --- references --- */

#define UNREF(name, Type)                                                      \
  void name (Type object)                                                      \
  {                                                                            \
    NEXT (name);                                                               \
    __tsan_release (object);                                                   \
    __tsan_acquire (object);                                                   \
    next (object);                                                             \
  }

UNREF (g_object_unref, gpointer)
UNREF (gst_object_unref, gpointer)
UNREF (gst_mini_object_unref, GstMiniObject *)
UNREF (g_atomic_rc_box_release, gpointer)

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  NEXT (g_atomic_rc_box_release_full);
  __tsan_release (box);
  __tsan_acquire (box);
  next (box, clear);
}

/* A pool recycles the buffer after its last reference. */
GstFlowReturn
gst_buffer_pool_acquire_buffer (
    GstBufferPool *pool, GstBuffer **buffer, GstBufferPoolAcquireParams *params)
{
  GstFlowReturn ret;

  NEXT (gst_buffer_pool_acquire_buffer);
  ret = next (pool, buffer, params);
  if (ret == GST_FLOW_OK)
    __tsan_acquire (*buffer);
  return ret;
}
