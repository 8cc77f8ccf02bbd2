//! The watch on real folders: rows come within a deadline, whatever the events of the system do. Nothing here waits
//! for a time; everything waits for a message.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use jsonmedic::feed::{Options, Watch};
use jsonmedic::transcript::{FeedEvent, How, Kinds};

/// Time in which a thing has to happen, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

struct Bed {
    root: PathBuf,
    events: Receiver<FeedEvent>,
    watch: Watch,
    ready: (u64, How),
    /// What was told before it was ready.
    early: Vec<FeedEvent>,
}

impl Bed {
    /// Starts a watch and waits until it is ready.
    fn start(root: &Path, options: Options) -> Bed {
        let (send, events) = channel();
        let options = Options {
            places: vec![root.to_owned()],
            kinds: Kinds::ALL,
            ..options
        };
        let watch = Watch::start(options, move |event| send.send(event).is_ok());
        let mut early = Vec::new();
        loop {
            match events.recv_timeout(DEADLINE).unwrap() {
                FeedEvent::Ready { files, how } => {
                    return Bed {
                        root: root.to_owned(),
                        events,
                        watch,
                        ready: (files, how),
                        early,
                    };
                }
                event => early.push(event),
            }
        }
    }

    /// The arguments of the next failed calls.
    fn next(&self, count: usize) -> Vec<String> {
        let mut raws = Vec::new();
        let until = Instant::now() + DEADLINE;
        while raws.len() < count {
            let rest = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(rest) {
                Ok(FeedEvent::Failed(call)) => raws.push(call.raw.unwrap()),
                Ok(_) => {}
                Err(_) => panic!("{count} rows were wanted, these came: {raws:?}"),
            }
        }
        raws.sort();
        raws
    }

    fn note(&self, words: &str) {
        let until = Instant::now() + DEADLINE;
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(rest) {
                Ok(FeedEvent::Note(note)) if note.contains(words) => return,
                Ok(_) => {}
                Err(_) => panic!("no note with `{words}` came"),
            }
        }
    }

    /// Ends the watch; what was not asked for must not have come.
    fn end(self) {
        self.watch.stop();
        let rest: Vec<FeedEvent> = self
            .events
            .try_iter()
            .filter(|event| matches!(event, FeedEvent::Failed(_)))
            .collect();
        assert_eq!(rest, []);
    }
}

fn call(n: usize) -> String {
    format!(r#"{{"type":"function_call","name":"t","arguments":"{{{n}","call_id":"call_{n:06}"}}"#)
        + "\n"
}

fn raws(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    let mut raws: Vec<String> = numbers.into_iter().map(|n| format!("{{{n}")).collect();
    raws.sort();
    raws
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

#[test]
fn new_lines_in_old_and_new_files_and_folders_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.jsonl"), call(1)).unwrap();
    let bed = Bed::start(folder.path(), Options::default());
    assert_eq!(bed.ready.0, 1);
    append(&bed.root.join("a.jsonl"), &call(2));
    assert_eq!(bed.next(1), raws([2]));
    append(&bed.root.join("b.jsonl"), &call(3));
    assert_eq!(bed.next(1), raws([3]));
    // Files that are there before anyone can watch their folder.
    let deep = bed.root.join("x/y/z");
    fs::create_dir_all(&deep).unwrap();
    for n in 10..30 {
        append(&deep.join(format!("{n}.jsonl")), &call(n));
    }
    assert_eq!(bed.next(20), raws(10..30));
    append(&deep.join("10.jsonl"), &call(30));
    assert_eq!(bed.next(1), raws([30]));
    // A tree that is moved in.
    let away = tempfile::tempdir_in(folder.path().parent().unwrap()).unwrap();
    fs::create_dir(away.path().join("t")).unwrap();
    append(&away.path().join("t/m.jsonl"), &call(31));
    fs::rename(away.path().join("t"), bed.root.join("t")).unwrap();
    assert_eq!(bed.next(1), raws([31]));
    append(&bed.root.join("t/m.jsonl"), &call(32));
    assert_eq!(bed.next(1), raws([32]));
    bed.end();
}

#[test]
fn a_root_that_is_made_anew_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("logs");
    fs::create_dir(&root).unwrap();
    append(&root.join("a.jsonl"), &call(1));
    let bed = Bed::start(&root, Options::default());
    fs::remove_dir_all(&root).unwrap();
    fs::create_dir(&root).unwrap();
    append(&root.join("a.jsonl"), &call(2));
    assert_eq!(bed.next(1), raws([2]));
    append(&root.join("b.jsonl"), &call(3));
    assert_eq!(bed.next(1), raws([3]));
    bed.end();
}

#[test]
fn a_file_that_was_named_is_followed_through_its_replacement() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.jsonl");
    append(&log, &call(1));
    let bed = Bed::start(&log, Options::default());
    append(&log, &call(2));
    assert_eq!(bed.next(1), raws([2]));
    fs::rename(&log, folder.path().join("old")).unwrap();
    append(&log, &call(3));
    assert_eq!(bed.next(1), raws([3]));
    // Its neighbours are none of our business.
    append(&folder.path().join("b.jsonl"), &call(4));
    append(&log, &call(5));
    assert_eq!(bed.next(1), raws([5]));
    bed.end();
}

#[test]
fn without_events_files_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("a.jsonl");
    append(&log, &call(1));
    let options = Options {
        poll: true,
        ..Options::default()
    };
    let bed = Bed::start(folder.path(), options);
    assert_eq!(bed.ready, (1, How::Polling));
    append(&log, &call(2));
    assert_eq!(bed.next(1), raws([2]));
    // Twice within a second.
    append(&log, &call(3));
    assert_eq!(bed.next(1), raws([3]));
    fs::create_dir_all(folder.path().join("x/y")).unwrap();
    append(&folder.path().join("x/y/b.jsonl"), &call(4));
    assert_eq!(bed.next(1), raws([4]));
    bed.end();
}

#[test]
fn what_is_there_is_told_first_if_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..50 {
        append(&folder.path().join(format!("{n:02}.jsonl")), &call(n));
    }
    append(&folder.path().join("00.jsonl"), &call(100)[..30]);
    let options = Options {
        from_start: true,
        ..Options::default()
    };
    let bed = Bed::start(folder.path(), options);
    let early = bed.early.iter().filter_map(|event| match event {
        FeedEvent::Failed(call) => call.raw.clone(),
        _ => None,
    });
    let mut early: Vec<String> = early.collect();
    early.sort();
    assert_eq!(early, raws(0..50));
    assert_eq!(bed.ready.0, 50);
    append(&folder.path().join("00.jsonl"), &call(100)[30..]);
    assert_eq!(bed.next(1), raws([100]));
    // The reader of a log that is in use goes on: a retry is known.
    append(
        &folder.path().join("01.jsonl"),
        &call(101).replace("{101", "{}"),
    );
    append(
        &folder.path().join("01.jsonl"),
        "{\"type\":\"function_call_output\",\"call_id\":\"call_000101\",\"output\":\"ok\"}\n",
    );
    let until = Instant::now() + DEADLINE;
    loop {
        let rest = until.saturating_duration_since(Instant::now());
        if let FeedEvent::Retried { retry, .. } = bed.events.recv_timeout(rest).unwrap() {
            assert_eq!(retry.call_id.as_deref(), Some("call_000101"));
            break;
        }
    }
    bed.end();
}

#[test]
fn a_run_goes_on_where_the_last_one_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let state = tempfile::tempdir().unwrap();
    let positions = state.path().join("positions.json");
    let log = folder.path().join("a.jsonl");
    let start = || {
        let options = Options {
            resume: Some(positions.clone()),
            ..Options::default()
        };
        Bed::start(folder.path(), options)
    };
    append(&log, &call(1));
    let bed = start();
    let is_note = |event: &FeedEvent| matches!(event, FeedEvent::Note(note) if note.contains("no saved positions"));
    assert!(bed.early.iter().any(is_note));
    append(&log, &call(2));
    assert_eq!(bed.next(1), raws([2]));
    bed.end();
    // Written while nobody looked: to the same file, to a new one, after a rename.
    append(&log, &(call(3) + &call(4)[..20]));
    append(&folder.path().join("b.jsonl"), &call(5));
    let early = |bed: &Bed| {
        let raws = bed.early.iter().filter_map(|event| match event {
            FeedEvent::Failed(call) => call.raw.clone(),
            _ => None,
        });
        let mut raws: Vec<String> = raws.collect();
        raws.sort();
        raws
    };
    let bed = start();
    assert_eq!(early(&bed), raws([3, 5]));
    append(&log, &call(4)[20..]);
    assert_eq!(bed.next(1), raws([4]));
    bed.end();
    fs::rename(&log, folder.path().join("a.jsonl.1")).unwrap();
    append(&folder.path().join("a.jsonl.1"), &call(6));
    append(&log, &(call(7) + &call(2)));
    let bed = start();
    assert_eq!(early(&bed), raws([6, 7]));
    bed.end();
    // Nothing new.
    let bed = start();
    assert_eq!(early(&bed), raws([]));
    bed.end();
}

#[test]
fn positions_are_there_as_soon_as_the_watch_is_ready() {
    let folder = tempfile::tempdir().unwrap();
    let state = tempfile::tempdir().unwrap();
    let positions = state.path().join("positions.json");
    append(&folder.path().join("a.jsonl"), &call(1));
    let options = Options {
        resume: Some(positions.clone()),
        ..Options::default()
    };
    let (send, ready) = channel();
    let at = positions.clone();
    let options = Options {
        places: vec![folder.path().to_owned()],
        ..options
    };
    let watch = Watch::start(options, move |event| {
        // Whatever ends the program from here on.
        if let FeedEvent::Ready { .. } = event {
            let saved = jsonmedic::feed::positions::load(&at).unwrap();
            send.send(saved.map_or(0, |saved| saved.files.len()))
                .unwrap();
        }
        true
    });
    assert_eq!(ready.recv_timeout(DEADLINE).unwrap(), 1);
    watch.stop();
}

#[test]
fn fifty_writers_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bed = Bed::start(folder.path(), Options::default());
    const LINES: usize = 20;
    std::thread::scope(|scope| {
        for writer in 0..50 {
            let log = folder.path().join(format!("{}/{writer}.jsonl", writer % 7));
            scope.spawn(move || {
                fs::create_dir_all(log.parent().unwrap()).unwrap();
                for n in 0..LINES {
                    let line = call(writer * LINES + n);
                    let filler = "x".repeat((writer * 1237 + n * 997) % 60_000);
                    let long = line.replace("\"name\"", &format!("\"pad\":\"{filler}\",\"name\""));
                    // In two pieces, as a full buffer is written.
                    let (head, tail) = long.split_at(long.len() / 3);
                    append(&log, head);
                    append(&log, tail);
                }
            });
        }
    });
    assert_eq!(bed.next(50 * LINES), raws(0..50 * LINES));
    bed.end();
}

#[test]
fn what_cannot_be_read_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("store.db"), b"SQLite format 3\0xxxx").unwrap();
    let options = Options {
        from_start: true,
        ..Options::default()
    };
    let bed = Bed::start(folder.path(), options);
    let told = bed.early.iter().filter(|event| matches!(event, FeedEvent::Note(note) if note.contains("store.db: an SQLite store")));
    assert_eq!(told.count(), 1);
    append(
        &folder.path().join("a.jsonl"),
        &(call(1) + &call(2)[..30] + &call(3)),
    );
    bed.note("a record is glued");
    bed.watch.stop();
}

#[test]
fn a_listener_that_goes_away_ends_the_watch() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        places: vec![folder.path().to_owned()],
        ..Options::default()
    };
    let (send, receive) = channel();
    let watch = Watch::start(options, move |_| {
        send.send(()).unwrap();
        false
    });
    receive.recv_timeout(DEADLINE).unwrap();
    // Its end closes the channel.
    assert!(receive.recv_timeout(DEADLINE).is_err());
    watch.stop();
}
