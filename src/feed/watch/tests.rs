//! What the source of events can do wrong: the loop is driven by calls, without a source.

use std::fs;
use std::sync::Mutex;

use notify::event::{AccessKind, AccessMode, Flag, MetadataKind, ModifyKind};
use notify::{Event, EventKind};

use super::*;

/// A loop on a folder, and what it says.
struct Bed {
    folder: tempfile::TempDir,
    work: Loop,
    said: Arc<Mutex<Vec<FeedEvent>>>,
}

impl Bed {
    fn new() -> Bed {
        let folder = tempfile::tempdir().unwrap();
        let said = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&said);
        let options = Options {
            places: vec![folder.path().to_owned()],
            kinds: Kinds::ALL,
            ..Options::default()
        };
        let tell = move |event| {
            ear.lock().unwrap().push(event);
            true
        };
        let mut work = Loop::new(options, Arc::default(), Box::new(tell));
        work.how = How::Events;
        work.watch_root(0);
        work.first_look();
        let bed = Bed { folder, work, said };
        bed.said();
        bed
    }

    fn write(&self, name: &str, n: usize) {
        let line = format!(
            "{{\"type\":\"function_call\",\"name\":\"t\",\"arguments\":\"{{{n}\",\"call_id\":\"call_{n:06}\"}}\n"
        );
        let path = self.folder.path().join(name);
        let mut options = fs::OpenOptions::new();
        let mut file = options.append(true).create(true).open(path).unwrap();
        std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
    }

    fn said(&self) -> Vec<FeedEvent> {
        std::mem::take(&mut *self.said.lock().unwrap())
    }

    fn notes(&self) -> Vec<String> {
        let note = |event| match event {
            FeedEvent::Note(note) => Some(note),
            _ => None,
        };
        self.said().into_iter().filter_map(note).collect()
    }

    fn raws(&self) -> Vec<String> {
        let raw = |event| match event {
            FeedEvent::Failed(call) => call.raw,
            _ => None,
        };
        self.said().into_iter().filter_map(raw).collect()
    }

    /// What the loop does with what it was told.
    fn turn(&mut self) {
        let now = Instant::now();
        let (paths, is_incomplete, trouble) = self.work.wait(now);
        if let Some(trouble) = trouble {
            self.work.trouble(&trouble);
        }
        for path in paths {
            self.work.changed(&path, now);
        }
        if is_incomplete {
            self.work.rescan(now);
        }
    }
}

#[test]
fn limits_of_watches_and_instances_are_named_once_and_files_are_polled() {
    for (error, limit) in [
        (
            notify::Error::new(notify::ErrorKind::MaxFilesWatch),
            "fs.inotify.max_user_watches",
        ),
        (
            notify::Error::io(std::io::Error::from_raw_os_error(24)),
            "fs.inotify.max_user_instances",
        ),
    ] {
        let mut bed = Bed::new();
        bed.work.hints.take_event(Err(error));
        bed.turn();
        let notes = bed.notes();
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].contains(limit) && notes[0].contains("polling"),
            "{notes:?}"
        );
        assert_eq!(bed.work.how, How::Polling);
        bed.turn();
        assert_eq!(bed.notes(), Vec::<String>::new());
    }
}

#[test]
fn an_overflow_of_the_queue_is_made_good_by_a_look_at_everything() {
    let mut bed = Bed::new();
    bed.write("a.jsonl", 1);
    bed.turn();
    assert_eq!(bed.raws(), Vec::<String>::new(), "nobody told of it");
    let overflow = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    bed.work.hints.take_event(Ok(overflow));
    bed.turn();
    assert_eq!(bed.raws(), ["{1"]);
    // So is a storm of more paths than are remembered, and any other complaint.
    bed.write("a.jsonl", 2);
    for n in 0..=10_000 {
        let path = bed.folder.path().join(format!("none/{n}"));
        let event = Event::new(EventKind::Modify(ModifyKind::Any)).add_path(path);
        bed.work.hints.take_event(Ok(event));
    }
    bed.turn();
    assert_eq!(bed.raws(), ["{2"]);
    bed.write("a.jsonl", 3);
    bed.work.hints.take_event(Err(notify::Error::generic("x")));
    bed.turn();
    assert_eq!(bed.raws(), ["{3"]);
}

#[test]
fn our_own_reads_wake_nobody() {
    let bed = Bed::new();
    for kind in [
        EventKind::Access(AccessKind::Open(AccessMode::Read)),
        EventKind::Access(AccessKind::Close(AccessMode::Read)),
        EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime)),
    ] {
        let event = Event::new(kind).add_path(bed.folder.path().join("a.jsonl"));
        bed.work.hints.take_event(Ok(event));
    }
    let told = bed.work.hints.lock();
    assert!(told.paths.is_empty() && !told.is_incomplete);
}

#[test]
fn files_that_change_without_an_event_are_polled_from_then_on() {
    let mut bed = Bed::new();
    bed.write("a.jsonl", 0);
    bed.work.rescan(Instant::now());
    assert_eq!(bed.raws(), ["{0"]);
    for n in 1..=3 {
        bed.write("a.jsonl", n);
        bed.work.look(Instant::now());
        let said = bed.said();
        let is_row = |event: &FeedEvent| matches!(event, FeedEvent::Failed(_));
        assert_eq!(said.iter().filter(|event| is_row(event)).count(), 1);
        let polls = said.iter().any(
            |event| matches!(event, FeedEvent::Note(note) if note.contains("polling every 2 s")),
        );
        assert_eq!(polls, n == 3, "{n}");
    }
    assert_eq!(bed.work.how, How::Polling);
}
