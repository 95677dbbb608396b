//! Ctrl-Z.

use std::io;

/// Stops the process group as the terminal's own Ctrl-Z would; returns when it is continued.
///
/// The whole group, since the shell waits for all of it (`cargo run` stops with its child). The
/// default action of SIGTSTP rather than SIGSTOP: without a shell that could continue the group
/// (it is orphaned then), the system ignores the signal and nothing hangs.
#[cfg(unix)]
pub(super) fn stop_group() -> io::Result<()> {
    use std::mem::MaybeUninit;
    use std::ptr;
    let check = |status: i32| if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) };
    // SAFETY: an all-zero `sigaction` is SIG_DFL with no flags and an empty mask; `previous` is
    // filled by the first call, before it is read; both pointers are valid for the calls.
    unsafe {
        let default: libc::sigaction = MaybeUninit::zeroed().assume_init();
        let mut previous: libc::sigaction = MaybeUninit::zeroed().assume_init();
        check(libc::sigaction(libc::SIGTSTP, &default, &mut previous))?;
        let stopped = check(libc::kill(0, libc::SIGTSTP));
        check(libc::sigaction(libc::SIGTSTP, &previous, ptr::null_mut()))?;
        stopped
    }
}

#[cfg(not(unix))]
pub(super) fn stop_group() -> io::Result<()> {
    Ok(())
}
