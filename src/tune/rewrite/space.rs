//! Free space on the disk that a table lies on.

use crate::lake::place::Place;

/// Bytes that this user may still write; none for object stores, or if it cannot be told.
#[cfg(unix)]
pub fn free(place: &Place) -> Option<u64> {
    use std::os::unix::ffi::OsStrExt;

    let path = place.url.to_file_path().ok()?;
    let path = std::ffi::CString::new(path.as_os_str().as_bytes()).ok()?;
    let mut stat = std::mem::MaybeUninit::<libc::statvfs>::uninit();
    // SAFETY: the path ends with a zero byte, and the call writes no more than the struct.
    let done = unsafe { libc::statvfs(path.as_ptr(), stat.as_mut_ptr()) };
    if done != 0 {
        return None;
    }
    // SAFETY: the call has filled it.
    let stat = unsafe { stat.assume_init() };
    // The fields' types differ between systems.
    #[allow(clippy::useless_conversion)]
    let free = u64::from(stat.f_bavail).saturating_mul(u64::from(stat.f_frsize));
    Some(free)
}

#[cfg(not(unix))]
pub fn free(_: &Place) -> Option<u64> {
    None
}
