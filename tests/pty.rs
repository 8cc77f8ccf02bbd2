//! The real program in a real terminal: modes, keys, pastes, pipes, signals.

#![cfg(feature = "tui")]

mod support;

use rustix::process::Signal;
use support::{Setup, Tty};

/// The program on an empty bench, drawn once.
fn empty() -> Tty {
    let tty = Setup::program(&[]).start();
    tty.wait_raw(b"\x1b[?2026l");
    tty
}

#[test]
fn a_signal_ends_it_with_its_number_and_the_terminal_as_before() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut tty = empty();
        assert!(tty.screen().alternate_screen());
        tty.signal(signal);
        assert_eq!(tty.end(), code);
        tty.assert_restored();
    }
}
