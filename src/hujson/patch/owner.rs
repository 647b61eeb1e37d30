//! Which value the comments between two values belong to.
//!
//! Must not live here: changing anything.

use super::super::extra::{Token, Tokens, common_start, is_space};

/// How the extra between two neighbours is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Owners {
    /// Up to here it belongs to what precedes it: the comments on the same line, and those
    /// directly below that a blank line or the closing bracket follows.
    pub behind: usize,
    /// From here on it belongs to what follows: the comments directly above.
    pub above: usize,
    /// Up to here it belongs to the list as a whole: the comments right below its opening bracket
    /// and the blank line after them, except the last line feed. None if there are none.
    pub header: Option<usize>,
}

/// The neighbours of the extra.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    pub after_open: bool,
    pub before_close: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stretch {
    SameLine,
    Below,
    Later,
}

pub(super) fn owners(extra: &str, ends: Ends) -> Owners {
    let mut stretch = Stretch::SameLine;
    let (mut at, mut behind, mut comments_end) = (0, 0, 0);
    let (mut above, mut header) = (None, None);
    for token in Tokens(extra) {
        let start = at;
        at += token.text().len();
        let Token::Space(space) = token else {
            comments_end = at;
            above.get_or_insert(start);
            continue;
        };
        let breaks = space.matches('\n').count();
        match stretch {
            Stretch::SameLine if breaks > 0 => {
                behind = comments_end;
                above = None;
                stretch = if breaks > 1 {
                    Stretch::Later
                } else {
                    Stretch::Below
                };
            }
            Stretch::Below if breaks > 1 => {
                if ends.after_open {
                    header = space.rfind('\n').map(|last| start + last);
                } else {
                    behind = comments_end;
                }
                above = None;
                stretch = Stretch::Later;
            }
            Stretch::Later if breaks > 1 => above = None,
            _ => {}
        }
    }
    if ends.before_close {
        let mine = match stretch {
            Stretch::SameLine => true,
            Stretch::Below => !ends.after_open,
            Stretch::Later => false,
        };
        if mine {
            behind = comments_end;
        }
        above = None;
    }
    Owners {
        behind,
        above: above.unwrap_or(extra.len()),
        header,
    }
}

/// The white space that begins the line of what follows the extra, if that line begins in the extra: also where a block comment
/// ends on it.
pub(super) fn line_indent(extra: &str) -> Option<&str> {
    let mut indent = None;
    for token in Tokens(extra) {
        match token {
            Token::Space(space) if space.contains('\n') => indent = space.rsplit('\n').next(),
            Token::Block(comment) if comment.contains('\n') => indent = Some(margin(comment)),
            _ => {}
        }
    }
    indent
}

/// The indentation of the lines of a block comment: what all of them begin with, except the blank that aligns stars below each
/// other. A closing mark on a line of its own is not counted.
fn margin(comment: &str) -> &str {
    let lines = || comment.split('\n').skip(1).map(str::trim_end);
    let bare = |line: &str| line.trim_start_matches(is_space) == "*/";
    let told = lines().filter(|line| !line.is_empty() && !bare(line));
    let common = told.reduce(common_start);
    let common = common.or(lines().find(|line| !line.is_empty()));
    let common = common.unwrap_or_default();
    let white = common.len() - common.trim_start_matches(is_space).len();
    let white = common.get(..white).unwrap_or_default();
    let has_star = |line: &str| line.trim_start_matches(is_space).starts_with('*');
    let aligned = white.strip_suffix(' ').filter(|_| lines().all(has_star));
    aligned.unwrap_or(white)
}

pub(super) fn has_comment(extra: &str) -> bool {
    extra.contains('/')
}
