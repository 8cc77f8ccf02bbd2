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
