//! What happens to log files, row by row: the follower is driven by calls, with moments handed to it, so that no test
//! waits and none depends on the events of a system. What needs a system is tested in the other files.
//!
//! Each fault of a log file, and the tests that hold it:
//!
//! | fault | tests |
//! |---|---|
//! | FIFO, socket, device, dangling link, link loop, a directory named `x.jsonl` | `what_is_no_regular_file_is_not_waited_for` |
//! | permission denied | `a_log_without_permission_is_said_once_and_read_when_that_changes` |
//! | sparse or huge file | `a_sparse_log_of_8_gb_is_followed_without_reading_it`, `a_sparse_log_of_1_gb_is_streamed`, `long_argument_texts_are_not_held`, `a_long_text_is_read_again_when_it_is_listed` |
//! | a line over the limit | `a_line_that_is_too_long_is_named_and_the_file_goes_on` |
//! | truncated, truncated and regrown to the same size | `a_log_that_was_cut_is_read_from_its_start_and_nothing_twice`, `a_log_that_was_cut_and_grew_to_the_same_size_is_noticed`, `a_log_that_was_cut_to_its_own_beginning_says_nothing_twice` |
//! | written whole, in place | `old_failures_in_a_log_that_is_rewritten_in_place_are_no_news`, `a_document_is_read_at_rest_and_tells_only_what_is_new` |
//! | copy-truncate | `copy_and_truncate_loses_and_doubles_nothing`, `a_copy_that_is_still_being_made_is_waited_for`, `a_new_log_that_begins_like_an_old_one_is_read_from_its_start` |
//! | rename + new file, late writes to the old handle | `a_rotated_log_is_read_to_its_end_and_the_new_one_from_its_start`, `late_writes_to_a_deleted_log_are_read`, `a_rotation_is_said` |
//! | deleted and made again, inode reused | `a_log_that_was_deleted_and_made_again_is_read_from_its_start` |
//! | replaced by rename with the same beginning | `a_log_that_was_replaced_by_a_longer_copy_of_itself_tells_only_the_rest`, `a_copy_that_is_met_while_it_is_empty_says_nothing_twice`, `what_a_copy_told_first_its_original_does_not_tell_again`, `a_log_that_is_met_after_its_copy_says_nothing_twice` |
//! | renamed or moved within, into, out of the tree | `a_log_that_was_renamed_or_moved_goes_on_where_it_was`, `a_log_that_was_replaced_and_moved_away_says_nothing_twice`, `the_same_text_in_another_folder_is_another_log` |
//! | appended mid-line, cut inside a character, newline late | `a_line_counts_when_its_line_break_is_there_and_once`, `a_watch_begins_at_the_end_and_completes_a_half_line`, `a_log_is_known_by_its_content_when_that_has_come` |
//! | 50 writers, lines to 60 KB | `fifty_writers_lose_nothing` |
//! | hard link, symlink | `a_file_with_two_names_is_read_once` |
//! | writer killed mid-line | `a_record_glued_to_the_remains_of_another_is_read_and_said` |
//! | the same failing line twice | `the_same_line_twice_is_two_rows_without_an_id_and_one_with` |
//! | one file an event | `files_of_an_event_each_share_their_calls` |
//! | 100,000 files | `a_hundred_thousand_files_are_followed_in_5_s_and_200_mb` |
//! | watch limit, instance limit | `limits_of_watches_and_instances_are_named_once_and_files_are_polled` |
//! | queue overflow | `an_overflow_of_the_queue_is_made_good_by_a_look_at_everything` |
//! | new nested directories | `new_lines_in_old_and_new_files_and_folders_are_told` |
//! | the watched root removed and made again | `a_root_that_is_made_anew_is_noticed` |
//! | our own reads | `our_own_reads_wake_nobody`, `a_watch_costs_next_to_nothing_while_nothing_happens` |
//! | network file system without events | `files_that_change_without_an_event_are_polled_from_then_on`, `without_events_files_are_looked_at` |
//! | CRLF, blank, NUL, garbage, 100,000 `[` | `lines_that_are_no_records_are_counted_and_the_next_is_read` |
//! | clock jumps, mtime 0, 2038, backwards | `times_of_files_decide_nothing` |
//! | kill -9 and restart | `a_watch_that_is_killed_and_resumed_loses_and_doubles_nothing`, `positions_are_there_as_soon_as_the_watch_is_ready`, `a_run_goes_on_where_the_last_one_stopped` |
//! | everything at once | `a_writer_that_does_everything_loses_and_doubles_nothing`, `events_lose_and_double_nothing`, `polling_loses_and_doubles_nothing` |
//! | disk full, read-only home | `positions_that_cannot_be_written_are_said_and_the_watch_goes_on` |
//! | secrets | `what_is_saved_is_loaded_and_only_the_user_reads_it` |
//! | hostile names and texts | `hostile_names_and_texts_are_shown_and_never_sent` |
//! | stdout closed | `a_closed_pipe_ends_it_quietly`, `a_listener_that_goes_away_ends_the_watch` |
//! | a store that is not read | `stores_that_are_not_read_are_named`, `what_cannot_be_read_is_said_once` |

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jsonmedic::feed::{Follower, Start, Wanted};
use jsonmedic::transcript::{FeedEvent, Kinds, Register};

/// A folder of logs, and a follower that is told of every change.
struct Bed {
    folder: tempfile::TempDir,
    follower: Follower,
    now: Instant,
}

impl Bed {
    fn new() -> Bed {
        Bed {
            folder: tempfile::tempdir().unwrap(),
            follower: Follower::new(Register::new(Kinds::ALL), Wanted::default()),
            now: Instant::now(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Follows a file from its end, as a watch does with what is there when it starts.
    fn follow(&mut self, name: &str) {
        let path = self.path(name);
        self.follower.follow(&path, Start::End, self.now).unwrap();
    }

    /// What is told after a hint about each of these files.
    fn hint(&mut self, names: &[&str]) -> Vec<String> {
        for name in names {
            let path = self.path(name);
            self.follower.hint(&path, self.now).unwrap();
        }
        self.told()
    }

    /// Lets time pass.
    fn pass(&mut self, time: Duration) -> Vec<String> {
        self.now += time;
        self.follower.tick(self.now);
        self.told()
    }

    /// The arguments of the failed calls that were told since the last look.
    fn told(&mut self) -> Vec<String> {
        self.events()
            .into_iter()
            .filter_map(|event| match event {
                FeedEvent::Failed(call) => call.raw,
                _ => None,
            })
            .collect()
    }

    fn events(&mut self) -> Vec<FeedEvent> {
        self.follower.events()
    }

    fn notes(&mut self, names: &[&str]) -> Vec<String> {
        for name in names {
            let path = self.path(name);
            self.follower.hint(&path, self.now).unwrap();
        }
        self.events()
            .into_iter()
            .filter_map(|event| match event {
                FeedEvent::Note(note) => Some(note),
                _ => None,
            })
            .collect()
    }
}

/// A call whose arguments `{n` do not parse, with an id.
fn call(n: usize) -> String {
    format!(r#"{{"type":"function_call","name":"t","arguments":"{{{n}","call_id":"call_{n:06}"}}"#)
        + "\n"
}

/// The same without an id: a completion that ends in a broken call.
fn completion(n: usize) -> String {
    format!(
        r#"{{"object":"text_completion","choices":[{{"text":"<function=t>{{{n}</function>","finish_reason":"stop"}}]}}"#
    ) + "\n"
}

/// Lines that fill more than the window by which a file is recognised.
fn filler() -> String {
    format!(
        r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":"{}"}}]}}"#,
        "x".repeat(1500)
    ) + "\n"
}

/// The same for completions.
fn long_completion() -> String {
    format!(
        r#"{{"object":"text_completion","choices":[{{"text":"{}","finish_reason":"stop"}}]}}"#,
        "x".repeat(1500)
    ) + "\n"
}

fn raws(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(|n| format!("{{{n}")).collect()
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

fn append(path: &Path, text: &[u8]) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(text).unwrap();
}

/// The table above names tests that there are.
#[test]
fn every_fault_has_the_tests_that_the_table_names() {
    let sources = [
        include_str!("feed_faults.rs"),
        include_str!("watch.rs"),
        include_str!("feed_cli.rs"),
        include_str!("paces.rs"),
        include_str!("stress.rs"),
        include_str!("../src/feed/watch/tests.rs"),
        include_str!("../src/feed/positions.rs"),
    ];
    let rows = sources[0].lines().filter(|line| line.starts_with("//! | "));
    let mut count = 0;
    for row in rows.skip(1) {
        let tests = row.rsplit(" | ").next().unwrap().trim_end_matches(" |");
        for test in tests.split(", ").map(|name| name.trim_matches('`')) {
            // The first function behind an attribute is the test.
            let is_there = |source: &&str| {
                let mut parts = source.split("#[test]\n").skip(1);
                parts.any(|part| {
                    let name = part.split("fn ").nth(1);
                    name.is_some_and(|name| name.starts_with(&format!("{test}()")))
                })
            };
            assert!(sources.iter().any(is_there), "{test}");
            count += 1;
        }
    }
    assert!(40 < count, "{count}");
}

#[test]
fn a_watch_begins_at_the_end_and_completes_a_half_line() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    let (head, tail) = (&call(2)[..20], &call(2)[20..]);
    write(&log, &(call(1) + head));
    bed.follow("a.jsonl");
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&log, tail.as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
}

#[test]
fn a_line_counts_when_its_line_break_is_there_and_once() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    let line = call(1).replace("\"t\"", "\"tö日\"");
    // Also cut inside a character.
    for at in 0..line.len() {
        append(&log, &line.as_bytes()[at..at + 1]);
        let wanted = if at + 1 == line.len() {
            raws([1])
        } else {
            raws([])
        };
        assert_eq!(bed.hint(&["a.jsonl"]), wanted, "byte {at}");
    }
}

#[test]
fn a_log_that_was_cut_is_read_from_its_start_and_nothing_twice() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, (call(1) + &call(2)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 2]));
    File::create(&log).unwrap();
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&log, call(3).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([3]));
    // Cut and filled beyond the old place before anyone looked.
    File::create(&log).unwrap();
    append(&log, (call(4) + &call(5) + &call(6)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([4, 5, 6]));
}

#[test]
fn a_log_that_was_cut_and_grew_to_the_same_size_is_noticed() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, (call(1) + &call(2)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 2]));
    write(&log, &(call(3) + &call(4)));
    assert_eq!(bed.hint(&["a.jsonl"]), raws([3, 4]));
    // Behind a long beginning that stays the same.
    write(&log, &(filler() + &call(5)));
    assert_eq!(bed.hint(&["a.jsonl"]), raws([5]));
    write(&log, &(filler() + &call(6)));
    assert_eq!(bed.hint(&["a.jsonl"]), raws([6]));
}

#[test]
fn a_log_that_was_cut_to_its_own_beginning_says_nothing_twice() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    let both = completion(1) + &completion(2);
    append(&log, both.as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 2]));
    write(&log, &completion(1));
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&log, completion(3).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([3]));
}

#[test]
fn copy_and_truncate_loses_and_doubles_nothing() {
    let mut bed = Bed::new();
    let (log, old) = (bed.path("a.jsonl"), bed.path("a.jsonl.1"));
    // Failures from before the watch are not told, also not from the copy.
    write(&log, &(long_completion() + &completion(1)));
    bed.follow("a.jsonl");
    append(&log, completion(2).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    // One more that nobody looked at before the copy was made.
    append(&log, completion(3).as_bytes());
    fs::copy(&log, &old).unwrap();
    File::create(&log).unwrap();
    append(&log, completion(4).as_bytes());
    let mut told = bed.hint(&["a.jsonl", "a.jsonl.1"]);
    told.sort();
    assert_eq!(told, raws([3, 4]));
    assert_eq!(bed.hint(&["a.jsonl", "a.jsonl.1"]), raws([]));
}

#[test]
fn a_copy_that_is_still_being_made_is_waited_for() {
    let mut bed = Bed::new();
    let (log, old) = (bed.path("a.jsonl"), bed.path("a.jsonl.1"));
    write(&log, &(long_completion() + &completion(1)));
    bed.follow("a.jsonl");
    append(&log, completion(2).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    let text = fs::read(&log).unwrap();
    let half = long_completion().len() + completion(1).len();
    append(&old, &text[..half]);
    assert_eq!(bed.hint(&["a.jsonl.1"]), raws([]));
    append(&old, &text[half..]);
    append(&old, completion(3).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl.1"]), raws([3]));
}

#[test]
fn a_rotated_log_is_read_to_its_end_and_the_new_one_from_its_start() {
    // Whichever name is looked at first.
    for names in [["a.jsonl", "a.jsonl.1"], ["a.jsonl.1", "a.jsonl"]] {
        let mut bed = Bed::new();
        let (log, old) = (bed.path("a.jsonl"), bed.path("a.jsonl.1"));
        write(&log, &completion(1));
        bed.follow("a.jsonl");
        append(&log, completion(2).as_bytes());
        assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
        // The writer keeps its handle and writes on after the rename.
        let mut writer = OpenOptions::new().append(true).open(&log).unwrap();
        writer.write_all(completion(3).as_bytes()).unwrap();
        fs::rename(&log, &old).unwrap();
        writer.write_all(completion(4).as_bytes()).unwrap();
        append(&log, completion(5).as_bytes());
        let mut told = bed.hint(&names);
        told.sort();
        assert_eq!(told, raws([3, 4, 5]), "{names:?}");
        writer.write_all(completion(6).as_bytes()).unwrap();
        assert_eq!(bed.hint(&names), raws([6]), "{names:?}");
    }
}

#[test]
fn a_rotation_is_said() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &call(1));
    bed.follow("a.jsonl");
    bed.hint(&["a.jsonl"]);
    fs::rename(&log, bed.path("gone")).unwrap();
    write(&log, &call(2));
    assert_eq!(
        bed.notes(&["a.jsonl"]),
        ["a.jsonl was rotated; following the new file"]
    );
    File::create(&log).unwrap();
    assert_eq!(
        bed.notes(&["a.jsonl"]),
        ["a.jsonl was cut or rewritten; reading it from its start"]
    );
}

#[test]
fn late_writes_to_a_deleted_log_are_read() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, call(1).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1]));
    let mut writer = OpenOptions::new().append(true).open(&log).unwrap();
    writer.write_all(call(2).as_bytes()).unwrap();
    fs::remove_file(&log).unwrap();
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    writer.write_all(call(3).as_bytes()).unwrap();
    assert_eq!(bed.pass(Duration::from_secs(2)), raws([3]));
}

#[test]
fn a_log_that_was_deleted_and_made_again_is_read_from_its_start() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    // More than once, since a file system may give the same inode to the new file.
    let mut n = 0;
    write(&log, "");
    bed.follow("a.jsonl");
    for _ in 0..5 {
        append(&log, completion(n).as_bytes());
        assert_eq!(bed.hint(&["a.jsonl"]), raws([n]));
        append(&log, completion(n + 1).as_bytes());
        fs::remove_file(&log).unwrap();
        write(
            &log,
            &(completion(n + 2) + &completion(n + 3) + &completion(n + 4)),
        );
        assert_eq!(bed.hint(&["a.jsonl"]), raws(n + 1..=n + 4));
        n += 5;
    }
}

#[test]
fn a_log_that_was_replaced_by_a_longer_copy_of_itself_tells_only_the_rest() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &completion(1));
    bed.follow("a.jsonl");
    for n in 2..5 {
        let text = fs::read_to_string(&log).unwrap() + &completion(n);
        write(&bed.path("next"), &text);
        fs::rename(bed.path("next"), &log).unwrap();
        assert_eq!(bed.hint(&["a.jsonl"]), raws([n]));
    }
}

#[test]
fn a_log_that_was_renamed_or_moved_goes_on_where_it_was() {
    let mut bed = Bed::new();
    write(&bed.path("a.jsonl"), &completion(1));
    bed.follow("a.jsonl");
    let names = ["a.jsonl", "b.jsonl", "sub/c.jsonl", "a.jsonl"];
    fs::create_dir(bed.path("sub")).unwrap();
    for (n, step) in names.windows(2).enumerate() {
        fs::rename(bed.path(step[0]), bed.path(step[1])).unwrap();
        append(&bed.path(step[1]), completion(n + 2).as_bytes());
        // The new name may be told before the old one.
        let order = if n % 2 == 0 {
            [step[0], step[1]]
        } else {
            [step[1], step[0]]
        };
        assert_eq!(bed.hint(&order), raws([n + 2]), "{step:?}");
    }
    // Out of the tree and back.
    let away = tempfile::tempdir().unwrap();
    fs::rename(bed.path("a.jsonl"), away.path().join("x")).unwrap();
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&away.path().join("x"), completion(7).as_bytes());
    fs::rename(away.path().join("x"), bed.path("d.jsonl")).unwrap();
    append(&bed.path("d.jsonl"), completion(8).as_bytes());
    assert_eq!(bed.hint(&["d.jsonl"]), raws([7, 8]));
}

#[test]
fn a_copy_that_is_met_while_it_is_empty_says_nothing_twice() {
    for name in ["a.jsonl.tmp", ".tmpXq3f", "tmp4z9k", "a.jsonl.1"] {
        let mut bed = Bed::new();
        let log = bed.path("a.jsonl");
        write(&log, "");
        bed.follow("a.jsonl");
        append(&log, (completion(1) + &completion(2)).as_bytes());
        assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 2]));
        // Its own event, before a byte is in it; half of it; all of it and more.
        write(&bed.path(name), "");
        assert_eq!(bed.hint(&[name]), raws([]), "{name}");
        append(&bed.path(name), completion(1).as_bytes());
        assert_eq!(bed.hint(&[name]), raws([]), "{name}");
        append(&bed.path(name), (completion(2) + &completion(3)).as_bytes());
        assert_eq!(bed.hint(&[name]), raws([3]), "{name}");
        fs::rename(bed.path(name), &log).unwrap();
        assert_eq!(bed.hint(&[name, "a.jsonl"]), raws([]), "{name}");
        append(&log, completion(4).as_bytes());
        assert_eq!(bed.hint(&["a.jsonl"]), raws([4]), "{name}");
    }
}

#[test]
fn what_a_copy_told_first_its_original_does_not_tell_again() {
    let mut bed = Bed::new();
    let (log, aside) = (bed.path("a.jsonl"), bed.path("a.jsonl.tmp"));
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, completion(1).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1]));
    append(&log, completion(2).as_bytes());
    write(
        &aside,
        &(fs::read_to_string(&log).unwrap() + &completion(3)),
    );
    assert_eq!(bed.hint(&["a.jsonl.tmp", "a.jsonl"]), raws([2, 3]));
    fs::rename(&aside, &log).unwrap();
    assert_eq!(bed.hint(&["a.jsonl.tmp", "a.jsonl"]), raws([]));
}

#[test]
fn a_log_that_is_met_after_its_copy_says_nothing_twice() {
    for name in [".a.jsonl.swp", "tmp4z9k", "a.jsonl.1"] {
        let mut bed = Bed::new();
        let log = bed.path("a.jsonl");
        write(&log, &(completion(1) + &completion(2)));
        let text = fs::read_to_string(&log).unwrap();
        write(&bed.path(name), &(text + &completion(3)));
        assert_eq!(bed.hint(&[name]), raws([1, 2, 3]), "{name}");
        assert_eq!(bed.hint(&["a.jsonl"]), raws([]), "{name}");
        fs::rename(bed.path(name), &log).unwrap();
        append(&log, completion(4).as_bytes());
        assert_eq!(bed.hint(&[name, "a.jsonl"]), raws([4]), "{name}");
    }
}

#[test]
fn old_failures_in_a_log_that_is_rewritten_in_place_are_no_news() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    let old = completion(1) + &completion(2) + &long_completion();
    write(&log, &old);
    bed.follow("a.jsonl");
    append(&log, completion(3).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([3]));
    // Met at each stage of the writing.
    let text = fs::read(&log).unwrap();
    for end in [0, completion(1).len() + 5, old.len() - 7, text.len()] {
        fs::write(&log, &text[..end]).unwrap();
        assert_eq!(bed.hint(&["a.jsonl"]), raws([]), "{end}");
    }
    append(&log, completion(4).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([4]));
}

#[test]
fn a_new_log_that_begins_like_an_old_one_is_read_from_its_start() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &(long_completion() + &completion(0) + &completion(1)));
    bed.follow("a.jsonl");
    append(&log, completion(2).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    // Shorter than what was there when the watch began: for a moment it may be the beginning of a copy.
    fs::rename(&log, bed.path("a.jsonl.1")).unwrap();
    write(&log, &(long_completion() + &completion(3)));
    assert_eq!(bed.hint(&["a.jsonl.1", "a.jsonl"]), raws([]));
    let mut told = bed.pass(Duration::from_secs(2));
    append(&log, completion(4).as_bytes());
    told.extend(bed.hint(&["a.jsonl"]));
    assert_eq!(told, raws([3, 4]));
    // Also where it goes before that moment is over.
    for n in [5, 6] {
        fs::remove_file(&log).unwrap();
        told.extend(bed.hint(&["a.jsonl"]));
        write(&log, &(long_completion() + &completion(n)));
        told.extend(bed.hint(&["a.jsonl"]));
    }
    fs::remove_file(&log).unwrap();
    told.extend(bed.hint(&["a.jsonl"]));
    told.extend(bed.pass(Duration::from_secs(2)));
    assert_eq!(told, raws(3..=6));
}

#[test]
fn a_log_that_was_replaced_and_moved_away_says_nothing_twice() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, (long_completion() + &completion(1)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1]));
    let text = fs::read_to_string(&log).unwrap() + &completion(2);
    write(&bed.path("next"), &text);
    fs::rename(bed.path("next"), &log).unwrap();
    fs::create_dir(bed.path("sub")).unwrap();
    fs::rename(&log, bed.path("sub/b.jsonl")).unwrap();
    assert_eq!(bed.hint(&["a.jsonl", "sub/b.jsonl"]), raws([2]));
}

#[test]
fn the_same_text_in_another_folder_is_another_log() {
    let mut bed = Bed::new();
    let text = long_completion() + &completion(1);
    fs::create_dir(bed.path("sub")).unwrap();
    for name in ["a.jsonl", "sub/a.jsonl"] {
        write(&bed.path(name), &text);
        assert_eq!(bed.hint(&[name]), raws([1]), "{name}");
    }
}

#[test]
fn times_of_files_decide_nothing() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    let epoch = std::time::SystemTime::UNIX_EPOCH;
    let times = [
        0,
        2_147_483_648,
        1,
        4_102_444_800,
        1_700_000_000,
        1_600_000_000,
    ];
    for (n, seconds) in times.into_iter().enumerate() {
        append(&log, completion(n).as_bytes());
        let file = File::options().append(true).open(&log).unwrap();
        file.set_modified(epoch + Duration::from_secs(seconds))
            .unwrap();
        assert_eq!(bed.hint(&["a.jsonl"]), raws([n]), "{seconds}");
        assert_eq!(bed.hint(&["a.jsonl"]), raws([]), "{seconds}");
    }
    // The same time and length, another text.
    let late = epoch + Duration::from_secs(1_500_000_000);
    for n in [11, 12, 13] {
        write(&log, &completion(n));
        let file = File::options().append(true).open(&log).unwrap();
        file.set_modified(late).unwrap();
        assert_eq!(bed.hint(&["a.jsonl"]), raws([n]));
    }
}

#[test]
fn a_sparse_log_of_8_gb_is_followed_without_reading_it() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &call(1));
    File::options()
        .write(true)
        .open(&log)
        .unwrap()
        .set_len(8 << 30)
        .unwrap();
    bed.follow("a.jsonl");
    append(&log, ("\n".to_owned() + &call(2)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
}

#[cfg(unix)]
#[test]
fn a_file_with_two_names_is_read_once() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    fs::hard_link(&log, bed.path("hard.jsonl")).unwrap();
    std::os::unix::fs::symlink(&log, bed.path("soft.jsonl")).unwrap();
    append(&log, completion(1).as_bytes());
    assert_eq!(
        bed.hint(&["hard.jsonl", "a.jsonl", "soft.jsonl"]),
        raws([1])
    );
}

#[test]
fn a_record_glued_to_the_remains_of_another_is_read_and_said() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, "");
    bed.follow("a.jsonl");
    append(&log, call(1).as_bytes());
    append(&log, &call(2).as_bytes()[..30]);
    append(&log, call(3).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 3]));
    append(&log, &call(4).as_bytes()[..30]);
    append(&log, call(5).as_bytes());
    let notes = bed.notes(&["a.jsonl"]);
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].starts_with("a.jsonl:3: a record is glued"),
        "{notes:?}"
    );
}

#[test]
fn the_same_line_twice_is_two_rows_without_an_id_and_one_with() {
    let mut bed = Bed::new();
    write(&bed.path("a.jsonl"), "");
    bed.follow("a.jsonl");
    append(&bed.path("a.jsonl"), completion(1).repeat(2).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1, 1]));
    append(&bed.path("a.jsonl"), completion(1).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1]));
    append(&bed.path("b.jsonl"), call(2).repeat(2).as_bytes());
    assert_eq!(bed.hint(&["b.jsonl"]), raws([2]));
    // A resumed session repeats what it goes on from.
    append(&bed.path("c.jsonl"), (call(2) + &call(3)).as_bytes());
    assert_eq!(bed.hint(&["c.jsonl"]), raws([3]));
}

#[test]
fn lines_that_are_no_records_are_counted_and_the_next_is_read() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &call(1));
    bed.follow("a.jsonl");
    let mark = "function_call";
    let garbage = format!(
        "\r\n\n\0\0{mark}\n\u{1b}]0;{mark}\n{}{mark}\n{{\"{mark}\n",
        "[".repeat(100_000)
    );
    append(&log, garbage.as_bytes());
    append(&log, b"{\"function_call\":\"\xff\"}\n");
    append(&log, call(2).trim_end().as_bytes());
    append(&log, b"\r\n");
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
    assert_eq!(bed.follower.register.counts.skipped, 5);
}

#[test]
fn a_line_that_is_too_long_is_named_and_the_file_goes_on() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &call(1));
    bed.follow("a.jsonl");
    let part = vec![b'x'; 16 << 20];
    append(&log, b"{\"function_call\":\"");
    let mut notes = Vec::new();
    for _ in 0..5 {
        append(&log, &part);
        notes.extend(bed.notes(&["a.jsonl"]));
    }
    append(&log, b"\"}\n");
    append(&log, call(2).as_bytes());
    let told = bed.hint(&["a.jsonl"]);
    assert_eq!(told, raws([2]));
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("longer than 64 MiB"), "{notes:?}");
}

#[test]
fn a_document_is_read_at_rest_and_tells_only_what_is_new() {
    let mut bed = Bed::new();
    let path = bed.path("session.json");
    let session = |count: usize| {
        let texts: Vec<String> = (1..=count)
            .map(|n| format!("{{\n\"role\": \"assistant\",\n\"content\": \"<tool_call name=\\\"x\\\" args='{{{n}' />\"\n}}"))
            .collect();
        format!(
            "{{\n\"version\": 2,\n\"chat_history\": [{}]\n}}",
            texts.join(",\n")
        )
    };
    let rest = Duration::from_millis(100);
    write(&path, &session(1));
    bed.follow("session.json");
    write(&path, &session(2));
    assert_eq!(bed.hint(&["session.json"]), raws([]));
    assert_eq!(bed.pass(rest), raws([2]));
    // Half of it is none.
    let text = session(4);
    write(&path, &text[..text.len() - 5]);
    assert_eq!(bed.hint(&["session.json"]), raws([]));
    assert_eq!(bed.pass(rest), raws([]));
    write(&path, &text);
    assert_eq!(bed.hint(&["session.json"]), raws([]));
    assert_eq!(bed.pass(rest), raws([3, 4]));
    // Written aside and renamed.
    write(&bed.path("next"), &session(5));
    fs::rename(bed.path("next"), &path).unwrap();
    assert_eq!(bed.hint(&["session.json"]), raws([]));
    assert_eq!(bed.pass(rest), raws([5]));
    assert_eq!(bed.pass(rest), raws([]));
}

#[test]
fn files_of_an_event_each_share_their_calls() {
    let mut bed = Bed::new();
    fs::create_dir(bed.path("events")).unwrap();
    let action = |n: usize| {
        format!(
            r#"{{"id":"e","source":"agent","action":null,"tool_name":"t","tool_call_id":"call_{n:06}","tool_call":{{"arguments":"{{\"a\":{n}}}"}},"kind":"ActionEvent"}}"#
        )
    };
    let error = |n: usize| {
        format!(
            r#"{{"id":"e","source":"agent","tool_call_id":"call_{n:06}","error":"x. Parameters provided: []","kind":"AgentErrorEvent"}}"#
        )
    };
    let rest = Duration::from_millis(100);
    write(&bed.path("events/event-00000-a.json"), &action(1));
    bed.follow("events/event-00000-a.json");
    write(&bed.path("events/event-00001-a.json"), &error(1));
    bed.hint(&["events/event-00001-a.json"]);
    assert_eq!(bed.pass(rest), ["{\"a\":1}"]);
    write(&bed.path("events/event-00002-a.json"), &action(2));
    write(&bed.path("events/event-00003-a.json"), &error(2));
    bed.hint(&["events/event-00002-a.json", "events/event-00003-a.json"]);
    assert_eq!(bed.pass(rest), ["{\"a\":2}"]);
}

#[test]
fn an_answer_finds_its_call_in_an_earlier_part_of_the_log() {
    for distance in [0, 1, 400] {
        let mut bed = Bed::new();
        let log = bed.path("a.jsonl");
        let early =
            r#"{"type":"function_call","name":"t","arguments":"{\"a\":1}","call_id":"call_early"}"#;
        write(
            &log,
            &format!("{}{early}\n{}", filler(), filler().repeat(distance)),
        );
        bed.follow("a.jsonl");
        append(&log, b"{\"type\":\"function_call_output\",\"call_id\":\"call_early\",\"output\":\"unsupported call: t\"}\n");
        bed.follower.hint(&log, bed.now).unwrap();
        let events = bed.events();
        let Some(FeedEvent::Failed(row)) = events.first() else {
            panic!("{events:?}");
        };
        assert_eq!(
            (row.origin.line, row.kind.id(), row.raw.as_deref()),
            (Some(2), "unknown-tool", Some("{\"a\":1}"))
        );
    }
}

#[test]
fn lines_are_numbered_from_the_start_of_the_file() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &filler().repeat(3));
    bed.follow("a.jsonl");
    let byte = fs::metadata(&log).unwrap().len();
    append(&log, (filler() + &call(1)).as_bytes());
    bed.follower.hint(&log, bed.now).unwrap();
    let events = bed.events();
    let Some(FeedEvent::Failed(row)) = events.first() else {
        panic!("{events:?}");
    };
    assert_eq!(row.origin.line, Some(5));
    assert_eq!(row.origin.byte, Some(byte + filler().len() as u64));
}

#[test]
fn a_retry_is_told_when_it_comes() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, &filler());
    bed.follow("a.jsonl");
    append(&log, call(1).as_bytes());
    bed.follower.hint(&log, bed.now).unwrap();
    let events = bed.events();
    let Some(FeedEvent::Failed(row)) = events.first() else {
        panic!("{events:?}");
    };
    assert_eq!(row.complaint, None);
    append(&log, b"{\"type\":\"function_call_output\",\"call_id\":\"call_000001\",\"output\":\"failed to parse function arguments\"}\n");
    append(&log, b"{\"type\":\"function_call\",\"name\":\"t\",\"arguments\":\"{}\",\"call_id\":\"call_retry\"}\n");
    append(
        &log,
        b"{\"type\":\"function_call_output\",\"call_id\":\"call_retry\",\"output\":\"ok\"}\n",
    );
    bed.follower.hint(&log, bed.now).unwrap();
    let events = bed.events();
    let [
        FeedEvent::Explained {
            number: 1,
            complaint,
        },
        FeedEvent::Retried { number: 1, retry },
    ] = &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!(complaint, "failed to parse function arguments");
    assert_eq!((retry.line, retry.raw.as_str()), (Some(4), "{}"));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let mut bed = Bed::new();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        bed.path("pipe.jsonl"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let _socket = UnixListener::bind(bed.path("socket.jsonl")).unwrap();
    fs::create_dir(bed.path("folder.jsonl")).unwrap();
    symlink(bed.path("nowhere"), bed.path("dangling.jsonl")).unwrap();
    symlink(bed.path("loop.jsonl"), bed.path("loop.jsonl")).unwrap();
    symlink(bed.folder.path(), bed.path("up")).unwrap();
    symlink("/dev/zero", bed.path("zero.jsonl")).unwrap();
    write(&bed.path("a.jsonl"), &call(1));
    let found = jsonmedic::feed::walk(&[bed.folder.path().to_owned()]);
    assert_eq!(found.files, [bed.path("a.jsonl")]);
    let mut unread: Vec<String> = found
        .unread
        .iter()
        .map(|unread| {
            format!(
                "{}: {}",
                unread.path.file_name().unwrap().display(),
                unread.why
            )
        })
        .collect();
    unread.sort();
    assert_eq!(
        unread,
        [
            "dangling.jsonl: no such file or directory",
            "loop.jsonl: too many levels of symbolic links",
            "pipe.jsonl: expected a regular file, found a named pipe",
            "socket.jsonl: expected a regular file, found a socket",
            "zero.jsonl: expected a regular file, found a device",
        ]
    );
    for (name, why) in [
        ("pipe.jsonl", "expected a regular file, found a named pipe"),
        ("folder.jsonl", "expected a log file, found a folder"),
    ] {
        let error = bed.follower.hint(&bed.path(name), bed.now).unwrap_err();
        assert_eq!(error.to_string(), why);
    }
}

#[test]
fn a_log_is_known_by_its_content_when_that_has_come() {
    let mut bed = Bed::new();
    // Unknown at first, and then a log: an empty file, a first line in two halves, a broken first line.
    let log = bed.path("a.jsonl");
    write(&log, "");
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&log, &call(1).as_bytes()[..10]);
    assert_eq!(bed.hint(&["a.jsonl"]), raws([]));
    append(&log, &call(1).as_bytes()[10..]);
    assert_eq!(bed.hint(&["a.jsonl"]), raws([1]));
    write(
        &bed.path("b.jsonl"),
        &format!("{{\"type\":\"func\n{}", call(2)),
    );
    bed.hint(&["b.jsonl"]);
    assert_eq!(bed.pass(Duration::from_millis(100)), raws([2]));
    append(&bed.path("b.jsonl"), call(3).as_bytes());
    assert_eq!(bed.hint(&["b.jsonl"]), raws([3]));
}

#[test]
fn one_line_without_a_line_break_is_a_document_until_it_grows() {
    let mut bed = Bed::new();
    let log = bed.path("a.jsonl");
    write(&log, completion(1).trim_end());
    bed.hint(&["a.jsonl"]);
    assert_eq!(bed.pass(Duration::from_millis(100)), raws([1]));
    append(&log, format!("\n{}", completion(2)).as_bytes());
    assert_eq!(bed.hint(&["a.jsonl"]), raws([2]));
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A log as programs treat it, and what was written to it.
struct Writer {
    log: PathBuf,
    folder: PathBuf,
    written: usize,
    /// The rest of a line of which the first half is written.
    half: Option<String>,
    generations: usize,
    touched: Vec<PathBuf>,
}

impl Writer {
    fn line(&mut self) -> String {
        self.written += 1;
        let n = self.written;
        format!(
            r#"{{"object":"text_completion","pad":"{}","choices":[{{"text":"<function=t>{{{n}</function>","finish_reason":"stop"}}]}}"#,
            "x".repeat(400 + n % 50)
        ) + "\n"
    }

    fn lines(&mut self, count: u64) {
        let mut text = self.half.take().unwrap_or_default();
        for _ in 0..count {
            text += &self.line();
        }
        append(&self.log, text.as_bytes());
        self.touched.push(self.log.clone());
    }

    fn half_line(&mut self, dice: &mut Dice) {
        self.lines(0);
        let line = self.line();
        let at = 1 + dice.roll(line.len() as u64 - 2) as usize;
        append(&self.log, &line.as_bytes()[..at]);
        self.half = Some(line[at..].to_owned());
    }

    fn old_name(&mut self) -> PathBuf {
        self.generations += 1;
        let name = self.folder.join(format!("a.jsonl.{}", self.generations));
        self.touched.push(name.clone());
        name
    }

    fn rotate(&mut self) {
        self.lines(0);
        let old = self.old_name();
        fs::rename(&self.log, old).unwrap();
        self.lines(2);
    }

    fn copy_and_truncate(&mut self) {
        self.lines(3);
        let old = self.old_name();
        fs::copy(&self.log, old).unwrap();
        File::create(&self.log).unwrap();
        self.touched.push(self.log.clone());
    }

    fn replace(&mut self) {
        self.lines(0);
        let text = fs::read_to_string(&self.log).unwrap() + &self.line();
        write(&self.folder.join("next"), &text);
        fs::rename(self.folder.join("next"), &self.log).unwrap();
    }
}

#[test]
fn a_writer_that_does_everything_loses_and_doubles_nothing() {
    for seed in 0..8 {
        let mut bed = Bed::new();
        let mut dice = Dice(seed);
        let mut writer = Writer {
            log: bed.path("a.jsonl"),
            folder: bed.folder.path().to_owned(),
            written: 0,
            half: None,
            generations: 0,
            touched: Vec::new(),
        };
        write(&writer.log, "");
        bed.follow("a.jsonl");
        let mut told = Vec::new();
        for _ in 0..300 {
            match dice.roll(16) {
                0 => writer.rotate(),
                1 => writer.copy_and_truncate(),
                2 => writer.replace(),
                3 | 4 => writer.half_line(&mut dice),
                5 => writer.lines(50),
                _ => {
                    let count = 1 + dice.roll(4);
                    writer.lines(count);
                }
            }
            // Events come late, in any order, several for one change, but none is missing in the end.
            if dice.roll(3) != 0 {
                let mut touched = std::mem::take(&mut writer.touched);
                if dice.roll(2) == 0 {
                    touched.reverse();
                }
                for path in touched {
                    bed.follower.hint(&path, bed.now).unwrap();
                }
                told.extend(bed.told());
            }
            told.extend(bed.pass(Duration::from_millis(dice.roll(300))));
        }
        writer.lines(0);
        let touched = std::mem::take(&mut writer.touched);
        for path in touched {
            bed.follower.hint(&path, bed.now).unwrap();
        }
        told.extend(bed.told());
        let mut numbers: Vec<usize> = told.iter().map(|raw| raw[1..].parse().unwrap()).collect();
        numbers.sort();
        let wanted: Vec<usize> = (1..=writer.written).collect();
        let lost: Vec<&usize> = wanted.iter().filter(|n| !numbers.contains(n)).collect();
        assert_eq!(lost, Vec::<&usize>::new(), "seed {seed}: lost");
        let doubled: Vec<usize> = numbers
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        assert_eq!(doubled, Vec::<usize>::new(), "seed {seed}: doubled");
    }
}
