//! SWE-agent: a trajectory that is rewritten at every step; what failed is a message in the next step's query.

use super::{Adapter, content_text};
use crate::transcript::fact::{Call, Fact, Record, Verdict};
use crate::transcript::node::Node;

pub(super) const ADAPTER: Adapter = Adapter {
    id: "swe-agent",
    lives: "*.traj, rewritten at every step",
    keeps: "nothing of unreadable arguments; they are listed by the complaint",
    sniff,
    read,
    ..Adapter::SIMPLE
};

fn sniff(record: &Record<'_>) -> bool {
    let Some(node) = record.node else {
        return false;
    };
    let [steps, history, info] = node.fields(["trajectory", "history", "info"]);
    steps.is_some_and(Node::is_array) && (history.is_some() || info.is_some())
}

fn read(record: &Record<'_>, out: &mut Vec<Fact>) {
    let Some(node) = record.node else { return };
    for step in node.get("trajectory").into_iter().flat_map(Node::items) {
        let query: Vec<Node<'_>> = step
            .get("query")
            .into_iter()
            .flat_map(Node::items)
            .collect();
        // A complaint stands behind the last answer of the model; what stands before it was there in earlier steps.
        let complaints = query
            .iter()
            .rev()
            .take_while(|message| message.get("role").is_some_and(|role| role.is("user")));
        let mut found: Vec<Fact> = complaints
            .filter_map(|message| complaint(record, *message))
            .collect();
        found.reverse();
        out.append(&mut found);
    }
}

fn complaint(record: &Record<'_>, message: Node<'_>) -> Option<Fact> {
    let [content, kind] = message.fields(["content", "message_type"]);
    if kind.is_some_and(|kind| kind.is("observation")) {
        return None;
    }
    let content = content?;
    let text = content_text(content);
    let verdict = verdict(&text)?;
    Some(Fact::Called(Call {
        place: record.place_at(content),
        verdict: Some(verdict),
        complaint: Some(text),
        ..Call::default()
    }))
}

fn verdict(text: &str) -> Option<Verdict> {
    const WORDS: [(&str, Verdict); 4] = [
        ("not valid JSON", Verdict::Unreadable),
        ("Required argument(s) missing", Verdict::Schema),
        ("Unexpected argument(s)", Verdict::Schema),
        (
            "not found in list of available commands",
            Verdict::UnknownTool,
        ),
    ];
    let found = WORDS.iter().find(|(words, _)| text.contains(words))?;
    Some(found.1)
}

#[cfg(test)]
mod tests {
    use crate::transcript::formats::rows;

    #[test]
    fn the_complaint_behind_the_last_answer_counts_once() {
        let message = |role: &str, text: &str| {
            format!(r#"{{"role":"{role}","content":"{text}","message_type":"{role}"}}"#)
        };
        let log = |queries: &[&[String]]| {
            let steps: Vec<String> = queries
                .iter()
                .map(|query| format!(r#"{{"query":[{}]}}"#, query.join(",")))
                .collect();
            format!(
                "{{\n\"trajectory\": [{}],\n\"history\": [],\n\"info\": {{}}\n}}",
                steps.join(",")
            )
        };
        let model = message("assistant", "x");
        for (text, wanted) in [
            (
                "Your action could not be parsed: arguments are not valid JSON.",
                "malformed",
            ),
            ("Required argument(s) missing: path", "schema"),
            ("Unexpected argument(s): x", "schema"),
            (
                "Command 'x' not found in list of available commands",
                "unknown-tool",
            ),
            ("go on", ""),
        ] {
            let said = message("user", text);
            let first = [model.clone(), said.clone()];
            let later = [model.clone(), said, model.clone()];
            assert_eq!(rows(&log(&[&first, &later])), wanted, "{text}");
        }
    }
}
