//! The keys for the manual page: the verbs may not know the workbench, but they may ask here.

use crate::app::keys::{Context, ROWS};

/// For each place where keys mean something: its name, and each command's keys and what it does.
pub fn keys() -> Vec<(&'static str, Vec<(String, &'static str)>)> {
    let of = |context: Context| {
        let own = ROWS
            .iter()
            .flat_map(|row| row.keys.iter().map(move |keys| (row, keys)));
        let own = own.filter(move |(_, (on, _))| *on == context);
        own.map(|(row, (_, words))| (words.join(" "), row.help))
            .collect()
    };
    Context::ALL
        .iter()
        .map(|context| (context.title(), of(*context)))
        .collect()
}
