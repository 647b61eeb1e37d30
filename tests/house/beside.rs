//! Rule: one file knows what may lie beside the repository, so that nothing else depends on it. Must not live here: other rules.

use std::process::Command;

use crate::sources::root;

#[test]
fn one_file_knows_what_may_lie_beside_the_repository() {
    // In two pieces, as this file is not the one.
    let beside = concat!("../", "shared");
    let mut git = Command::new("git");
    git.args(["grep", "--untracked", "--files-with-matches", "-I"]);
    git.args(["--fixed-strings", beside]).current_dir(root());
    let found = git.output().expect("git").stdout;
    assert_eq!(String::from_utf8_lossy(&found), ".ci/run\n");
}
