//! Links and descriptors, in a process of their own: which number is the next depends on what else
//! is open in it.

#[path = "../../gate/tests/support/links.rs"]
mod links;

use hemiola_live::SystemTree;
use std::path::Path;

#[test]
fn links_do_not_lead_out_of_what_was_checked() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(&root).expect("a directory can be made");
    let root = root.canonicalize().expect("it is there");
    links::check(&SystemTree::default(), &root);
    std::fs::remove_dir_all(&root).expect("it is removed");
}
