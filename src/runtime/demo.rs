//! The logs inside the program: a newcomer sees everything at work with one command.

use std::path::Path;

use crate::transcript::{Counts, FailedCall, FeedEvent, How, read_all};

/// Made up, in the shapes of three agents.
const LOGS: [(&str, &[u8]); 3] = [
    (
        "demo/7b1e.jsonl",
        include_bytes!("../../assets/demo/7b1e.jsonl"),
    ),
    ("demo/api.log", include_bytes!("../../assets/demo/api.log")),
    (
        "demo/0f3c.jsonl",
        include_bytes!("../../assets/demo/0f3c.jsonl"),
    ),
];

/// What a feed over these logs tells.
pub fn events() -> impl Iterator<Item = FeedEvent> {
    let mut calls: Vec<FailedCall> = LOGS
        .iter()
        .flat_map(|(path, text)| read_all(Path::new(path), text))
        .collect();
    calls.sort_by(|a, b| a.time.cmp(&b.time));
    let mut counts = Counts {
        files: LOGS.len() as u64,
        ..Counts::default()
    };
    for (number, call) in (1..).zip(&mut calls) {
        call.number = number;
        counts.failed[call.kind as usize] += 1;
        if let Some(retry) = &call.retry {
            counts.retried += 1;
            counts.confirmed += u64::from(retry.equal);
        }
    }
    let ready = FeedEvent::Ready {
        files: LOGS.len() as u64,
        how: How::Events,
    };
    let calls = calls
        .into_iter()
        .map(|call| FeedEvent::Failed(Box::new(call)));
    calls.chain([FeedEvent::Counts(counts), ready])
}

/// The line of such a log that begins at a byte.
pub fn line(path: &Path, offset: u64) -> Option<String> {
    let (_, text) = LOGS.iter().find(|(name, _)| Path::new(name) == path)?;
    let rest = text.get(usize::try_from(offset).ok()?..)?;
    let line = rest.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_shows_each_outcome() {
        let calls: Vec<FailedCall> = events()
            .filter_map(|event| match event {
                FeedEvent::Failed(call) => Some(*call),
                _ => None,
            })
            .collect();
        let rows: Vec<String> = calls
            .iter()
            .map(|call| {
                let repair = call.repair.as_ref();
                format!(
                    "{} {} {} {}{}",
                    call.tool.as_deref().unwrap_or("-"),
                    call.kind.id(),
                    repair.map_or("-", |repair| repair.status.id()),
                    repair
                        .and_then(|repair| repair.worst)
                        .map_or("-", |level| level.name()),
                    match &call.retry {
                        Some(retry) if retry.equal => " = retry",
                        Some(_) => " other retry",
                        None => "",
                    }
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                "send_mail malformed repaired safe",
                "update_plan malformed repaired safe = retry",
                "exec_command malformed refused -",
                "write_file malformed repaired guess",
                "Grep malformed repaired safe = retry",
                "Read malformed repaired safe",
                "Write truncated repaired lossy",
                "exec_command malformed repaired safe",
                "read_file malformed repaired guess",
                "write_file truncated repaired lossy",
                "exec_command truncated repaired lossy",
                "TodoWrite malformed refused -",
            ]
        );
        for call in &calls {
            let offset = call.origin.byte.unwrap_or(u64::MAX);
            let line = line(&call.origin.path, offset).unwrap_or_default();
            let id = call.call_id.clone().unwrap_or_default();
            assert!(line.contains(&id), "{id} stands on its line");
        }
    }
}
