//! Which test holds which fault: what goes wrong, what must then happen, and who proves it.
//!
//! A row is one fault. Each test it names must exist; one that is renamed or deleted breaks this table.

use std::fs;
use std::path::{Path, PathBuf};

struct Fault {
    what: &'static str,
    /// What the user may rely on.
    then: &'static str,
    /// `file::test`, the file without its folder and extension.
    tests: &'static [&'static str],
}

const fn row(what: &'static str, then: &'static str, tests: &'static [&'static str]) -> Fault {
    Fault { what, then, tests }
}

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    // Content.
    row("control sequences in a log or a paste", "stand-ins on the screen, true bytes in copies", &["hostile::the_hostile_corpus_never_reaches_the_terminal", "hostile::no_widget_lets_it_through", "hostile::copies_hold_the_true_bytes"]),
    row("the same as JSON escapes that are decoded for display", "stand-ins after decoding", &["hostile::no_widget_lets_it_through", "pty::hostile_text_never_reaches_the_terminal"]),
    row("C1, DEL, NUL, BEL, SO", "stand-ins", &["visible::rows", "visible::nothing_visible_needs_a_second_pass_and_no_control_gets_through", "hostile::the_reader_of_bytes_sees_what_must_not_come"]),
    row("terminal queries in shown text", "never sent", &["hostile::the_hostile_corpus_never_reaches_the_terminal"]),
    row("bidi, zero-width, BOM and tag characters", "drawn by their number", &["visible::rows", "hostile::no_widget_lets_it_through"]),
    row("hostile file names, also no UTF-8", "stand-ins, escapes in JSON, and the file opens", &["visible::bytes_that_are_no_utf_8_are_shown_by_value", "cli::a_hostile_file_name_does_not_reach_the_terminal", "hostile::the_hostile_corpus_never_reaches_the_terminal", "feed_cli::hostile_names_and_texts_are_shown_and_never_sent"]),
    row("text of a headless verb on a terminal", "as on the screen; JSON holds escapes", &["cli::a_result_on_a_terminal_is_visible", "visible::json_holds_no_hidden_character_and_says_the_same", "reports::the_edit_list_is_told_on_stderr_with_hostile_text_visible"]),
    row("lone surrogates, duplicates, -0, 1.10, 1e400, big integers", "valid, unchanged, with notices", &["cli::valid_text_comes_out_byte_for_byte_without_a_word", "notice::each_topic_is_found_where_it_stands", "property::valid_texts_stay"]),
    row("bytes that are no UTF-8, UTF-16", "refused at their byte, UTF-16 by name", &["cli::bytes_that_are_no_text_are_refused_at_their_place", "encoding::rows", "store::texts_that_are_no_utf8_are_refused_with_their_place"]),
    row("one line of 1 GB", "bounded memory, a live screen", &["bounds::one_gigabyte_on_one_line", "cli::a_batch_holds_one_line_at_a_time", "feed_faults::a_line_that_is_too_long_is_named_and_the_file_goes_on"]),
    row("a text over 4 GiB", "refused by name, without reading it", &["bounds::a_text_over_four_gibibytes_is_refused_at_once"]),
    row("100,000 levels and more", "unchanged, lossy or refused; no stack overflow", &["reports::depth_costs_no_stack", "property::a_million_levels_need_no_stack", "tree::a_hundred_thousand_levels_are_no_trouble", "layout::depth_costs_no_stack_and_no_square"]),
    row("very many edits", "linear time; refused beyond the bound", &["reports::a_report_of_very_many_edits_on_one_line_is_linear", "edit::a_full_list_says_where_and_a_step_back_makes_room", "bounds::more_edits_than_the_bound_are_refused"]),
    row("quadratic traps", "time grows with the length alone", &["bounds::time_grows_with_the_length_alone"]),
    row("what looks like a fault inside a string", "untouched", &["property::valid_texts_stay", "documented::the_one_answer_repair"]),
    row("a million failed calls in one log", "read in linear time", &["bounds::failures_in_one_log_cost_the_same_each"]),
    // Terminal, process, disk.
    row("quit, SIGTERM, SIGHUP, SIGINT", "the terminal as before, the exit code of the signal", &["pty::a_signal_ends_it_with_its_number_and_the_terminal_as_before", "leave::exit_codes"]),
    row("ctrl-z and SIGCONT", "the whole group stops; a full screen on return", &["pty::a_stop_gives_the_terminal_to_the_shell_and_fg_brings_the_screen_back", "pty::ctrl_z_without_a_shell_says_why_nothing_happens"]),
    row("a parent, group or session outside the pid namespace", "it starts, and says why it does not stop", &["pty::processes_outside_the_pid_namespace_have_no_number"]),
    row("started in a background group", "waits without touching the modes", &["pty::in_the_background_it_waits_until_it_owns_the_terminal"]),
    row("a panic in any thread", "restored first, one message, the draft kept", &["pty::a_panic_restores_the_terminal_first_and_says_one_thing"]),
    row("kill -9", "the draft is offered", &["pty::the_draft_outlives_what_ends_the_program", "pty::a_draft_is_offered_and_taken", "drafts::a_draft_is_offered_when_its_process_is_gone_and_only_then"]),
    row("the window is closed", "it ends", &["pty::a_closed_window_ends_it"]),
    row("stdout is closed", "quiet", &["cli::a_closed_stdout_ends_quietly", "feed_cli::a_closed_pipe_ends_it_quietly", "pty::a_closed_stdout_ends_quietly_and_a_full_one_keeps_the_draft", "watch::a_listener_that_goes_away_ends_the_watch"]),
    row("odd sizes, resize storms", "no panic, a redraw", &["pictures::small_and_odd_sizes_are_drawn_without_a_panic", "pty::many_resizes_are_survived_and_the_last_one_counts", "storm::no_order_of_events_breaks_it"]),
    row("no terminal, TERM=dumb", "one line, exit 2, no escape byte", &["pty::without_a_terminal_there_is_one_line_and_no_escape_byte"]),
    row("no bracketed paste, an end marker inside a paste", "pasted text never acts as commands", &["pty::pasted_text_never_acts_as_commands", "typing::pasted_text_never_acts_as_commands", "burst::a_burst_of_commands_with_control_keys_is_not_text"]),
    row("lone CR for line breaks in a paste", "read as LF where there is no LF at all", &["input::a_lone_cr_is_a_line_end_only_where_there_is_no_lf", "typing::carriage_returns_survive_insert_escape_and_paste"]),
    row("no clipboard, or an X server that never answers", "said, the screen alive, another route", &["pty::an_x_server_that_never_answers_holds_nothing_up", "clipboard::a_display_server_that_never_answers_gives_way_to_the_terminal", "clipboard::a_text_too_long_for_the_terminal_is_not_cut"]),
    row("HOME unset, a state folder that cannot be written", "it starts and says what it cannot keep", &["pty::without_a_home_it_starts_and_says_what_it_cannot_keep", "privacy::a_state_folder_that_cannot_be_written_is_said"]),
    row("a configuration with errors", "file and line in the workbench; headless verbs do not read it", &["pty::a_fault_in_the_configuration_is_said_with_its_line", "config::a_fault_is_said_with_its_line_and_the_rest_counts", "privacy::headless_verbs_do_not_read_the_configuration"]),
    row("the disk is full, a write fails", "the old file whole, the text still there", &["cli::a_full_disk_is_said", "files::a_failed_write_leaves_the_old_file_whole", "pty::a_closed_stdout_ends_quietly_and_a_full_one_keeps_the_draft"]),
    row("secrets", "0600 in 0700; after a clean end only what was turned on", &["privacy::what_is_kept_is_private_and_only_what_was_turned_on", "audit::texts_are_hashed_unless_the_user_wants_them", "files::new_files_are_private_and_old_ones_keep_their_mode", "pty::a_panic_restores_the_terminal_first_and_says_one_thing"]),
    row("the network", "no Internet socket, no remote display", &["pty::no_internet_socket_is_opened_whatever_the_display_says", "supply::no_banned_crate_is_in_the_tree"]),
    row("a native clipboard over SSH", "OSC 52 first, and said", &["clipboard::the_environment_decides_on_the_route", "clipboard::an_answer_names_the_route", "leave::copied_is_said_only_with_the_route"]),
    row("tmux and screen drop an inner OSC 52", "wrapped for what stands between", &["clipboard::sequences_are_wrapped_for_what_stands_between"]),
];

#[test]
fn each_fault_has_its_tests() {
    let tests = tests();
    assert!(200 < tests.len(), "the sources were read");
    for fault in FAULTS {
        assert!(
            !fault.then.is_empty() && !fault.tests.is_empty(),
            "{}",
            fault.what
        );
        for name in fault.tests {
            assert!(
                tests.iter().any(|test| test == name),
                "{}: there is no test {name}",
                fault.what
            );
        }
    }
}

/// Every test in the sources, as `file::test`.
fn tests() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests"] {
        sources(&root.join(folder), &mut files);
    }
    let mut names = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a source can be read");
        let file = match path.file_stem().and_then(|stem| stem.to_str()) {
            Some("mod") => path.parent().and_then(Path::file_name),
            _ => path.file_stem(),
        };
        let file = file.and_then(|name| name.to_str()).expect("a name");
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            match line
                .strip_prefix("fn ")
                .and_then(|rest| rest.split('(').next())
            {
                Some(name) if is_test => names.push(format!("{file}::{name}")),
                // An attribute may stand between.
                _ if line.starts_with("#[") || line.starts_with("//") => {
                    is_test |= line == "#[test]";
                    continue;
                }
                _ => {}
            }
            is_test = false;
        }
    }
    names
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, files),
            false if path.extension().is_some_and(|extension| extension == "rs") => {
                files.push(path);
            }
            false => {}
        }
    }
}
