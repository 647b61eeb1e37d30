//! What the parser notes about the extra around each value, so that it need not be read again.
//!
//! Must not live here: where the extra is (`extra`, `slots`).

/// A stretch of extra: whether there is any, its line feeds up to three, whether it has comments.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Gap(u8);

const BREAKS: u8 = 3;
const COMMENTED: u8 = 4;
const SOME: u8 = 8;

impl Gap {
    /// Nothing.
    pub const NONE: Gap = Gap(0);

    /// Blanks only.
    pub const BLANK: Gap = Gap(SOME);

    /// `breaks` counts line feeds, including those inside comments.
    #[inline(always)]
    pub fn new(some: bool, breaks: usize, commented: bool) -> Self {
        let breaks = if breaks > 3 { BREAKS } else { breaks as u8 };
        let some = if some { SOME } else { 0 };
        Self(breaks | some | if commented { COMMENTED } else { 0 })
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 & SOME == 0
    }

    /// Three stands for three or more.
    #[inline(always)]
    pub fn breaks(self) -> u32 {
        u32::from(self.0 & BREAKS)
    }

    #[inline(always)]
    pub fn commented(self) -> bool {
        self.0 & COMMENTED != 0
    }
}

/// The gaps at one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gaps(u16);

impl Gaps {
    /// With the gap directly before the value; the others are empty.
    #[inline(always)]
    pub fn leading(lead: Gap) -> Self {
        Self(u16::from(lead.0))
    }

    /// Notes the gap between the value and the colon or comma after it.
    #[inline(always)]
    pub fn set_behind(&mut self, gap: Gap) {
        self.0 |= u16::from(gap.0) << 4;
    }

    /// Notes the gap before the closing bracket of a composite.
    #[inline(always)]
    pub fn set_tail(&mut self, gap: Gap) {
        self.0 |= u16::from(gap.0) << 8;
    }

    #[inline(always)]
    pub fn lead(self) -> Gap {
        Gap((self.0 & 15) as u8)
    }

    #[inline(always)]
    pub fn behind(self) -> Gap {
        Gap((self.0 >> 4 & 15) as u8)
    }

    #[inline(always)]
    pub fn tail(self) -> Gap {
        Gap((self.0 >> 8) as u8)
    }
}
