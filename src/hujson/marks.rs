//! What the scan wants to know of a block of 64 bytes. Must not live here: how it is found (`lanes`), what
//! it means (`scan`).

/// Which of 64 bytes are what, one bit a byte.
pub(super) struct Marks {
    pub quotes: u64,
    pub slashes: u64,
    pub backslashes: u64,
    pub commas: u64,
    pub openers: u64,
    pub closers: u64,
    /// Blanks and controls.
    pub blanks: u64,
}
