//! How the C library's allocator keeps memory.

/// glibc gives the threads up to eight arenas a core, none of which uses what another one has
/// freed. Reading a log hands buffers from thread to thread all the time, so that a third of the
/// process would be such leftovers. An arena a core, and large buffers that go back to the system
/// when they are freed, keep it near what it holds. Call before any thread starts.
pub fn set_up() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let cores = std::thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 16));
        // SAFETY: mallopt only sets parameters of the allocator, and no other thread runs yet.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, cores as libc::c_int);
            libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        }
    }
}

/// Bytes. Pages and batches stay below it, so that their memory is used again at once; chunks of
/// the file list are above it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;
