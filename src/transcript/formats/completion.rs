//! Calls that stand in a completion as text, in the markup of each model family.

use std::sync::LazyLock;

use memchr::memmem;

use crate::transcript::classify;
use crate::transcript::node::Node;

/// A call in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The tool.
    pub tool: Option<String>,
    /// What has to be JSON; in families with a tag for each parameter, a value that is none, or all of a call that
    /// is not closed.
    pub raw: String,
}

/// How the calls of a family begin, and what reads them: from the text behind the opener to calls and the bytes used.
struct Family {
    opener: &'static str,
    read: fn(&str) -> (Vec<Found>, usize),
}

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    Family { opener: "<tool_call>",                read: tool_call },
    Family { opener: "<function=",                 read: function_tag },
    Family { opener: "<|python_tag|>",             read: python_tag },
    Family { opener: ">>>",                        read: functionary },
    Family { opener: "[TOOL_CALLS]",               read: mistral },
    Family { opener: "<｜tool▁call▁begin｜>",       read: deepseek },
    Family { opener: "<｜DSML｜invoke name=\"",      read: dsml },
    Family { opener: "<|tool_call_begin|>",        read: kimi },
    Family { opener: "<|channel|>",                read: harmony },
    Family { opener: "Action:",                    read: react },
    Family { opener: "<minimax:tool_call>",        read: minimax },
    Family { opener: "<steptml:invoke name=\"",     read: steptml },
    Family { opener: "<|action_start|>",           read: internlm },
];

/// Openers in one text that are looked into. No model makes so many calls at once.
const MAX_CALLS: usize = 256;

/// Texts that may stand for the beginning of an opener inside JSON: some writers escape such characters.
const ESCAPED: [&str; 3] = ["\\u003c", "\\u003C", "\\uff5c"];

/// Whether there may be a call in a line of JSON or of text.
pub(super) fn has_opener(line: &[u8]) -> bool {
    static FINDERS: LazyLock<Vec<memmem::Finder<'static>>> = LazyLock::new(|| {
        let openers = FAMILIES.iter().map(|family| family.opener);
        openers.chain(ESCAPED).map(memmem::Finder::new).collect()
    });
    FINDERS.iter().any(|opener| opener.find(line).is_some())
}

/// The calls in a text, in order. An opener without a value behind it is none: a sentence that mentions a tag.
pub(super) fn calls(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    // Where each family's next opener stands; looked for again only when it has been passed.
    let mut places: Vec<Option<usize>> = FAMILIES
        .iter()
        .map(|family| next(family, text, 0))
        .collect();
    for _ in 0..MAX_CALLS {
        let first = places
            .iter()
            .zip(FAMILIES)
            .filter_map(|(place, family)| Some(((*place)?, family)));
        let Some((place, family)) = first.min_by_key(|(place, _)| *place) else {
            break;
        };
        let body = place + family.opener.len();
        let (mut calls, used) = (family.read)(&text[body..]);
        found.append(&mut calls);
        let at = body + used;
        for (place, family) in places.iter_mut().zip(FAMILIES) {
            if place.is_some_and(|place| place < at) {
                *place = next(family, text, at);
            }
        }
    }
    found
}

/// The next place of a family's opener; two of them count only at the beginning of a line.
fn next(family: &Family, text: &str, from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let at = from + text[from..].find(family.opener)?;
        let is_at_line = at == 0 || text[..at].ends_with('\n');
        if is_at_line || !matches!(family.opener, ">>>" | "Action:") {
            return Some(at);
        }
        from = at + family.opener.len();
    }
}

/// Hermes and Qwen: an object with name and arguments. GLM: a name, then a tag for each key and value.
fn tool_call(text: &str) -> (Vec<Found>, usize) {
    let body = text.trim_start();
    let skipped = text.len() - body.len();
    if body.starts_with('{') {
        let (raw, used) = value(body, &["</tool_call>", "<tool_call>"]);
        let tool = name_in(raw);
        return (
            vec![Found {
                tool,
                raw: raw.to_owned(),
            }],
            skipped + used,
        );
    }
    let end = body.find("</tool_call>");
    let inside = &body[..end.unwrap_or(body.len())];
    let Some(first) = inside.find("<arg_key>") else {
        return (Vec::new(), 0);
    };
    let tool = inside[..first].trim();
    if !is_name(tool) {
        return (Vec::new(), 0);
    }
    let mut found = Vec::new();
    let mut at = first;
    while let Some(key) = inside[at..].find("<arg_key>").map(|key| at + key) {
        let open = inside[key..]
            .find("<arg_value>")
            .map(|open| key + open + "<arg_value>".len());
        let close = open.and_then(|open| Some(open + inside[open..].find("</arg_value>")?));
        let (Some(open), Some(close)) = (open, close) else {
            if end.is_none() {
                found.push(call(tool, &inside[key..]));
            }
            break;
        };
        found.extend(unreadable(tool, &inside[open..close]));
        at = close;
    }
    (found, skipped + inside.len())
}

/// Qwen coder: a tag for each parameter. Llama 3: JSON in the tag.
fn function_tag(text: &str) -> (Vec<Found>, usize) {
    let Some((tool, body)) = text.split_once('>').filter(|(tool, _)| is_name(tool)) else {
        return (Vec::new(), 0);
    };
    let start = text.len() - body.len();
    let end = body
        .find("</function>")
        .or_else(|| body.find("</tool_call>"));
    let inside = &body[..end.unwrap_or(body.len())];
    let used = start + inside.len();
    if inside.trim_start().starts_with("<parameter=") {
        let mut found = Vec::new();
        let mut rest = inside;
        while let Some((_, parameter)) = rest.split_once("<parameter=") {
            let closed = parameter
                .split_once('>')
                .and_then(|(_, value)| value.split_once("</parameter>"));
            let Some((value, behind)) = closed else { break };
            found.extend(unreadable(tool, value));
            rest = behind;
        }
        if end.is_none() {
            return (vec![call(tool, &format!("<function={text}"))], text.len());
        }
        return (found, used);
    }
    let body = inside.trim_start();
    if !body.starts_with(['{', '[']) {
        return (Vec::new(), 0);
    }
    let (raw, _) = value(body, &["<|eot_id|>", "<|eom_id|>"]);
    (vec![call(tool, raw)], used)
}

/// Llama 3: objects with name and parameters, separated by semicolons.
fn python_tag(text: &str) -> (Vec<Found>, usize) {
    let end = ["<|eom_id|>", "<|eot_id|>"]
        .iter()
        .filter_map(|end| text.find(end))
        .min();
    let inside = &text[..end.unwrap_or(text.len())];
    let mut found = Vec::new();
    let mut rest = inside.trim();
    // Anything else behind the tag is program code.
    while rest.starts_with('{') {
        let whole = whole_value(rest);
        let length = whole.unwrap_or_else(|| {
            let next = rest
                .match_indices(';')
                .find(|(at, _)| rest[at + 1..].trim_start().starts_with('{'));
            next.map_or(rest.len(), |(at, _)| at)
        });
        let raw = rest[..length].trim_end();
        found.push(Found {
            tool: name_in(raw),
            raw: raw.to_owned(),
        });
        rest = rest[length..].trim_start_matches([';', ' ', '\n']);
    }
    (found, inside.len())
}

/// Functionary: a name, a line break, JSON.
fn functionary(text: &str) -> (Vec<Found>, usize) {
    let Some((tool, body)) = text.split_once('\n') else {
        return (Vec::new(), 0);
    };
    if !is_name(tool) || !body.starts_with('{') {
        return (Vec::new(), 0);
    }
    let (raw, used) = value(body, &["\n>>>", "<|eot_id|>", "<|from|>"]);
    (vec![call(tool, raw)], text.len() - body.len() + used)
}

/// Mistral: an array of calls, or a name and arguments.
fn mistral(text: &str) -> (Vec<Found>, usize) {
    const ENDS: [&str; 2] = ["[TOOL_CALLS]", "</s>"];
    let body = text.trim_start();
    let skipped = text.len() - body.len();
    if body.starts_with('[') && !body.starts_with("[TOOL_CALLS]") {
        let (raw, used) = value(body, &ENDS);
        let tool = name_in(raw);
        return (
            vec![Found {
                tool,
                raw: raw.to_owned(),
            }],
            skipped + used,
        );
    }
    let Some((head, arguments)) = body.split_once("[ARGS]") else {
        return (Vec::new(), 0);
    };
    let tool = head.split("[CALL_ID]").next().unwrap_or_default().trim();
    if !is_name(tool) || arguments.trim().is_empty() {
        return (Vec::new(), 0);
    }
    let (raw, used) = value(arguments, &ENDS);
    (vec![call(tool, raw)], text.len() - arguments.len() + used)
}

/// DeepSeek: version 3 puts the arguments into a fence, version 3.1 behind the separator.
fn deepseek(text: &str) -> (Vec<Found>, usize) {
    const ENDS: [&str; 2] = ["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"];
    let Some((head, body)) = text.split_once("<｜tool▁sep｜>") else {
        return (Vec::new(), 0);
    };
    let start = text.len() - body.len();
    let (tool, body) = match head.trim() == "function" {
        true => body.split_once('\n').unwrap_or((body, "")),
        false => (head, body),
    };
    if !is_name(tool.trim()) || body.trim().is_empty() {
        return (Vec::new(), 0);
    }
    let end = ENDS.iter().filter_map(|end| body.find(end)).min();
    let inside = &body[..end.unwrap_or(body.len())];
    let raw = match head.trim() == "function" {
        true => in_fence(inside),
        false => inside.trim(),
    };
    let used = (text.len() - body.len()).max(start) + inside.len();
    (vec![call(tool.trim(), raw)], used)
}

/// DeepSeek 3.2: a tag for each parameter, which says whether its value is JSON; or all arguments as JSON.
fn dsml(text: &str) -> (Vec<Found>, usize) {
    let Some((tool, body)) = text.split_once("\">") else {
        return (Vec::new(), 0);
    };
    let end = body.find("</｜DSML｜invoke>");
    let inside = &body[..end.unwrap_or(body.len())];
    let used = text.len() - body.len() + inside.len();
    let mut found = Vec::new();
    if inside.trim_start().starts_with(['{', '[']) {
        found.push(call(tool, value(inside.trim_start(), &[]).0));
        return (found, used);
    }
    let mut rest = inside;
    while let Some((_, parameter)) = rest.split_once("<｜DSML｜parameter ") {
        let Some((attributes, value)) = parameter.split_once('>') else {
            break;
        };
        let (value, behind) = value
            .split_once("</｜DSML｜parameter>")
            .unwrap_or((value, ""));
        if attributes.contains("string=\"false\"") {
            found.push(call(tool, value.trim()));
        }
        rest = behind;
    }
    (found, used)
}

/// Kimi K2: the name with a number, then JSON.
fn kimi(text: &str) -> (Vec<Found>, usize) {
    let Some((head, body)) = text.split_once("<|tool_call_argument_begin|>") else {
        return (Vec::new(), 0);
    };
    let tool = head.trim();
    let tool = tool.strip_prefix("functions.").unwrap_or(tool);
    let tool = tool.rsplit_once(':').map_or(tool, |(tool, _)| tool);
    if !is_name(tool) || body.trim().is_empty() {
        return (Vec::new(), 0);
    }
    let (raw, used) = value(body, &["<|tool_call_end|>", "<|tool_calls_section_end|>"]);
    (vec![call(tool, raw)], text.len() - body.len() + used)
}

/// Harmony: messages with a recipient. What is thought aloud has none.
fn harmony(text: &str) -> (Vec<Found>, usize) {
    let Some((head, body)) = text.split_once("<|message|>") else {
        return (Vec::new(), 0);
    };
    let used = text.len() - body.len();
    let Some((_, tool)) = head.split_once("to=functions.") else {
        return (Vec::new(), used);
    };
    let tool = tool.split([' ', '<', '\n']).next().unwrap_or_default();
    let (raw, length) = value(body, &["<|call|>", "<|end|>", "<|return|>", "<|start|>"]);
    if raw.is_empty() {
        return (Vec::new(), used);
    }
    (vec![call(tool, raw)], used + length)
}

/// ReAct: a line with the action, a line with its input. Plain text is a legal input.
fn react(text: &str) -> (Vec<Found>, usize) {
    let Some((tool, behind)) = text.split_once('\n') else {
        return (Vec::new(), 0);
    };
    let Some(input) = behind.trim_start().strip_prefix("Action Input:") else {
        return (Vec::new(), 0);
    };
    let end = input.find("\nObservation:").unwrap_or(input.len());
    let raw = input[..end].trim();
    let used = text.len() - input.len() + end;
    match raw.starts_with(['{', '[']) || raw.starts_with("```") {
        true => (vec![call(tool.trim(), raw)], used),
        false => (Vec::new(), used),
    }
}

/// MiniMax: a tag for each parameter inside a tag for each call.
fn minimax(text: &str) -> (Vec<Found>, usize) {
    let end = text.find("</minimax:tool_call>");
    let inside = &text[..end.unwrap_or(text.len())];
    let mut found = Vec::new();
    for invoke in inside.split("<invoke name=\"").skip(1) {
        found.append(&mut parameters(invoke, "parameter", "</invoke>"));
    }
    (found, inside.len())
}

/// Step 3: as MiniMax, with another prefix.
fn steptml(text: &str) -> (Vec<Found>, usize) {
    const END: &str = "</steptml:invoke>";
    let end = text.find(END).map_or(text.len(), |end| end + END.len());
    (parameters(&text[..end], "steptml:parameter", END), end)
}

/// InternLM: an object with name and parameters.
fn internlm(text: &str) -> (Vec<Found>, usize) {
    let body = text.trim_start();
    let Some(body) = body.strip_prefix("<|plugin|>").map(str::trim_start) else {
        return (Vec::new(), 0);
    };
    if !body.starts_with('{') {
        return (Vec::new(), 0);
    }
    let (raw, used) = value(body, &["<|action_end|>"]);
    let tool = name_in(raw);
    (
        vec![Found {
            tool,
            raw: raw.to_owned(),
        }],
        text.len() - body.len() + used,
    )
}

/// The values in the parameter tags of a call that begins with its name; all of a call that is not closed.
fn parameters(invoke: &str, tag: &str, closer: &str) -> Vec<Found> {
    let Some((tool, body)) = invoke.split_once("\">").filter(|(tool, _)| is_name(tool)) else {
        return Vec::new();
    };
    if !body.contains(closer) {
        return vec![call(tool, body.trim())];
    }
    let (opener, end) = (format!("<{tag} name=\""), format!("</{tag}>"));
    let values = body.split(&opener).skip(1).filter_map(|parameter| {
        let (_, value) = parameter.split_once('>')?;
        Some(value.split_once(&end).map_or(value, |(value, _)| value))
    });
    values.filter_map(|value| unreadable(tool, value)).collect()
}

fn call(tool: &str, raw: &str) -> Found {
    Found {
        tool: Some(tool.to_owned()),
        raw: raw.to_owned(),
    }
}

/// A parameter's value, if it looks like JSON and is none: text is a legal value.
fn unreadable(tool: &str, value: &str) -> Option<Found> {
    let value = value.trim();
    (value.starts_with(['{', '[']) && !classify::parses(value)).then(|| call(tool, value))
}

/// The JSON value at the beginning of a text; where there is none, all up to the first of the ends. With the bytes
/// that it takes.
fn value<'a>(text: &'a str, ends: &[&str]) -> (&'a str, usize) {
    let start = text.len() - text.trim_start().len();
    let body = &text[start..];
    let length = whole_value(body).unwrap_or_else(|| {
        let end = ends.iter().filter_map(|end| body.find(end)).min();
        end.unwrap_or(body.len())
    });
    (body[..length].trim_end(), start + length)
}

/// The length of the JSON value at the beginning of a text.
fn whole_value(text: &str) -> Option<usize> {
    let length = Node::new(text.as_bytes())?.bytes().len();
    let value = text.get(..length)?;
    classify::parses(value).then_some(length)
}

/// What stands between the fences.
fn in_fence(text: &str) -> &str {
    let text = text.trim();
    let Some(body) = text.strip_prefix("```") else {
        return text;
    };
    let body = body.split_once('\n').map_or(body, |(_, body)| body);
    body.strip_suffix("```").unwrap_or(body).trim()
}

/// The tool in an object that may be broken: the text behind the first `name`.
fn name_in(raw: &str) -> Option<String> {
    let (_, behind) = raw.split_once("name")?;
    let value = behind
        .trim_start_matches(['"', '\''])
        .trim_start()
        .strip_prefix(':')?
        .trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let name = value[1..].split(quote).next()?;
    Some(name.to_owned())
}

fn is_name(text: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_-.:/@".contains(character);
    !text.is_empty() && text.len() <= 256 && text.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_gives_its_calls() {
        let seps = (
            "<｜tool▁call▁begin｜>",
            "<｜tool▁sep｜>",
            "<｜tool▁call▁end｜>",
        );
        let v3 = format!(
            "{}function{}dig\n```json\n{{'a': 1}}\n```{}",
            seps.0, seps.1, seps.2
        );
        let v31 = format!(
            "{}dig{}{{\"a\": 1{}{}dig{}{{}}",
            seps.0, seps.1, seps.2, seps.0, seps.1
        );
        for (text, wanted) in [
            (
                "x\n<tool_call>\n{\"name\": \"dig\", \"arguments\": {\"a\": 1}\n</tool_call>",
                "dig {\"name\": \"dig\", \"arguments\": {\"a\": 1}",
            ),
            (
                "<tool_call>{\"name\": \"dig\", \"arguments\": {}} and prose",
                "dig {\"name\": \"dig\", \"arguments\": {}}",
            ),
            ("<tool_call>{'name': 'dig'", "dig {'name': 'dig'"),
            (
                "<tool_call>dig\n<arg_key>a</arg_key>\n<arg_value>{1}</arg_value>\n<arg_key>b</arg_key>\n<arg_value>{text</arg_value></tool_call>",
                "dig {1}|dig {text",
            ),
            (
                "<tool_call>dig\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n<arg_key>b</arg_key>\n<arg_va",
                "dig <arg_key>b</arg_key>\n<arg_va",
            ),
            (
                "<tool_call>\n<function=dig>\n<parameter=a>\n[1,]\n</parameter>\n<parameter=b>\ntext\n</parameter>\n</function>\n</tool_call>",
                "dig [1,]",
            ),
            (
                "<function=dig>\n<parameter=a>\nhalf",
                "dig <function=dig>\n<parameter=a>\nhalf",
            ),
            ("<function=dig>{\"a\": 1,}</function>", "dig {\"a\": 1,}"),
            (
                "<|python_tag|>{\"name\": \"dig\", \"parameters\": {\"a\": \";\"}}; {\"name\": \"dug\", \"parameters\": {}<|eom_id|>",
                "dig {\"name\": \"dig\", \"parameters\": {\"a\": \";\"}}|dug {\"name\": \"dug\", \"parameters\": {}",
            ),
            ("<|python_tag|>print(1)", ""),
            (">>>all\nplain\n>>>dig\n{\"a\": 1", "dig {\"a\": 1"),
            (">>> dig\n{1}", ""),
            (
                "[TOOL_CALLS] [{\"name\": \"dig\", \"arguments\": {}}",
                "dig [{\"name\": \"dig\", \"arguments\": {}}",
            ),
            (
                "[TOOL_CALLS]dig[ARGS]{\"a\": }[TOOL_CALLS]dug[CALL_ID]9[ARGS]{}",
                "dig {\"a\": }|dug {}",
            ),
            (&v3, "dig {'a': 1}"),
            (&v31, "dig {\"a\": 1|dig {}"),
            (
                "<｜DSML｜invoke name=\"dig\">\n<｜DSML｜parameter name=\"a\" string=\"false\">True</｜DSML｜parameter>\n<｜DSML｜parameter name=\"b\" string=\"true\">{</｜DSML｜parameter>\n</｜DSML｜invoke>",
                "dig True",
            ),
            (
                "<｜DSML｜invoke name=\"dig\">{\"a\"}</｜DSML｜invoke>",
                "dig {\"a\"}",
            ),
            (
                "<|tool_call_begin|>functions.dig:0<|tool_call_argument_begin|>{a}<|tool_call_end|>",
                "dig {a}",
            ),
            (
                "<|channel|>analysis<|message|>to=functions.dig {<|end|><|start|>assistant<|channel|>commentary to=functions.dig <|constrain|>json<|message|>{a}<|call|>",
                "dig {a}",
            ),
            (
                "Thought: x\nAction: dig\nAction Input: {a}\nObservation: {b}",
                "dig {a}",
            ),
            ("Action: dig\nAction Input: plain text", ""),
            ("In prose, Action: dig\nAction Input: {a}", ""),
            (
                "<minimax:tool_call>\n<invoke name=\"dig\">\n<parameter name=\"a\">[1,]</parameter>\n<parameter name=\"b\">x</parameter>\n</invoke>\n</minimax:tool_call>",
                "dig [1,]",
            ),
            (
                "<steptml:invoke name=\"dig\"><steptml:parameter name=\"a\">{1}</steptml:parameter></steptml:invoke>",
                "dig {1}",
            ),
            (
                "<|action_start|> <|plugin|>{\"name\": \"dig\",}<|action_end|>",
                "dig {\"name\": \"dig\",}",
            ),
            // A tag in a sentence is no call.
            (
                "Tags like <tool_call>, <function=x> and <|python_tag|> are used; [TOOL_CALLS] too.",
                "",
            ),
            ("<tool_call>", ""),
            ("<function=", ""),
            ("<|tool_call_begin|>", ""),
            ("<|channel|>", ""),
            ("Action:", ""),
        ] {
            let found: Vec<String> = calls(text)
                .into_iter()
                .map(|found| format!("{} {}", found.tool.unwrap_or_default(), found.raw))
                .collect();
            assert_eq!(found.join("|"), wanted, "{text}");
        }
    }
}
