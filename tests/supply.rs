//! Nothing leaves the machine: no crate that `deny.toml` bans is in the lock file, optional ones included.

use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn no_banned_crate_is_in_the_tree() {
    let bans = read("deny.toml");
    let banned: Vec<&str> = bans
        .lines()
        .filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split('"').next())
        .collect();
    assert!(
        banned.contains(&"tokio") && banned.contains(&"socket2"),
        "{banned:?}"
    );
    let lock = read("Cargo.lock");
    let locked: Vec<&str> = lock
        .lines()
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .collect();
    assert!(locked.contains(&"jsonmedic"), "the lock file was read");
    let found: Vec<&&str> = banned.iter().filter(|name| locked.contains(name)).collect();
    assert!(found.is_empty(), "banned, but in the tree: {found:?}");
}

/// The crates that end up in the program, by `cargo tree`: the lock file alone does not tell them from those of tests.
#[test]
fn no_crate_is_there_twice_without_a_reason() {
    let words = "tree --locked --offline --duplicates --edges normal,build --all-features --target all --depth 0 --prefix none";
    let output = std::process::Command::new(env!("CARGO"))
        .args(words.split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    if !output.status.success() {
        // A build from a cache that lacks other systems' crates cannot draw the tree for them.
        println!(
            "skipped: cargo tree says {}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    let twice: std::collections::BTreeMap<String, Vec<String>> =
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| {
                let mut words = line.split(' ');
                Some((words.next()?, words.next()?.strip_prefix('v')?))
            })
            .fold(Default::default(), |mut twice, (name, version)| {
                let versions: &mut Vec<String> = twice.entry(name.to_owned()).or_default();
                if !versions.contains(&version.to_owned()) {
                    versions.push(version.to_owned());
                }
                twice
            });
    let bans = read("deny.toml");
    let skipped: Vec<(&str, &str)> = bans
        .lines()
        .filter(|line| line.contains("reason = \""))
        .filter_map(|line| {
            line.trim()
                .strip_prefix("{ crate = \"")?
                .split('"')
                .next()?
                .split_once('@')
        })
        .collect();
    for (name, versions) in &twice {
        let bare = versions.iter().filter(|version| {
            !skipped.iter().any(|(crate_name, prefix)| {
                crate_name == name && version.starts_with(&format!("{prefix}."))
            })
        });
        assert_eq!(
            bare.count(),
            1,
            "{name} {versions:?}: all but one need a reason in deny.toml"
        );
    }
    for (name, prefix) in skipped {
        let is_there = twice.get(name).is_some_and(|versions| {
            versions
                .iter()
                .any(|one| one.starts_with(&format!("{prefix}.")))
        });
        assert!(is_there, "{name}@{prefix} is not there twice any more");
    }
}

/// The lints hold our own code to it (`clippy::incompatible_msrv`); this holds the crates that it stands on.
#[test]
fn the_stated_rust_version_is_enough_for_every_crate() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    if !output.status.success() {
        println!(
            "skipped: cargo metadata says {}",
            String::from_utf8_lossy(&output.stderr)
        );
        return;
    }
    let graph: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let nodes = list(&graph["resolve"]["nodes"]);
    // What the program is built from: tests may need more.
    let mut reached = vec![graph["resolve"]["root"].clone()];
    let mut next = 0;
    while let Some(id) = reached.get(next).cloned() {
        next += 1;
        let node = nodes.iter().find(|node| node["id"] == id);
        for dependency in node.map(|node| list(&node["deps"])).unwrap_or_default() {
            let is_built_in = list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"] != "dev");
            if is_built_in && !reached.contains(&dependency["pkg"]) {
                reached.push(dependency["pkg"].clone());
            }
        }
    }
    assert!(100 < reached.len(), "the graph was read");
    let version = |text: &str| -> Vec<u32> {
        text.split('.')
            .filter_map(|part| part.parse().ok())
            .collect()
    };
    let stated = version(env!("CARGO_PKG_RUST_VERSION"));
    for package in list(&graph["packages"]) {
        let needs = package["rust_version"].as_str().unwrap_or("1");
        assert!(
            !reached.contains(&package["id"])
                || version(needs)[..2.min(version(needs).len())] <= stated[..],
            "{} needs Rust {needs}",
            package["id"]
        );
    }
    let readme = read("README.md");
    let said = format!("Rust {} or later", env!("CARGO_PKG_RUST_VERSION"));
    assert!(readme.contains(&said), "{said}");
}

/// The library alone draws nothing and reads no keys; the verbs alone have no workbench.
#[test]
fn the_core_has_no_terminal_code() {
    const WORKBENCH: &[&str] = &[
        "ratatui",
        "crossterm",
        "tui-textarea-2",
        "arboard",
        "terminal-colorsaurus",
    ];
    const VERBS: &[&str] = &["clap", "notify", "signal-hook", "rustix", "nix", "tempfile"];
    for (features, banned) in [
        (&[][..], &[WORKBENCH, VERBS][..]),
        (&["--features", "cli"], &[WORKBENCH]),
    ] {
        let words = "tree --locked --offline --edges normal --prefix none --no-default-features";
        let output = std::process::Command::new(env!("CARGO"))
            .args(words.split(' '))
            .args(features)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        let tree = String::from_utf8_lossy(&output.stdout);
        assert!(tree.starts_with("jsonmedic "), "{output:?}");
        for name in banned.iter().copied().flatten() {
            let found = tree
                .lines()
                .find(|line| line.split(' ').next() == Some(name));
            assert_eq!(found, None, "{features:?}");
        }
    }
}

#[test]
fn unsafe_code_is_forbidden() {
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("\nunsafe_code = \"forbid\"\n"));
}
