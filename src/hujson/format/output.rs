//! The text that is written, as far as possible copied from the text that was read.
//!
//! What is to be written next is often what comes next there anyway: then the stretch to be
//! copied only grows, and a text that is nearly canonical is copied in a few pieces.
//! Must not live here: what is to be written.

pub(super) struct Output<'t> {
    text: &'t str,
    out: String,
    /// The stretch of `text` that is still to be copied.
    from: usize,
    to: usize,
}

impl<'t> Output<'t> {
    pub fn new(text: &'t str, room: usize) -> Self {
        Self {
            text,
            out: String::with_capacity(room),
            from: 0,
            to: 0,
        }
    }

    /// Writes a part of the text that was read.
    #[inline(always)]
    pub fn keep(&mut self, start: usize, end: usize) {
        if start != self.to {
            self.flush();
            self.from = start;
        }
        self.to = end;
    }

    /// Writes one byte of ASCII.
    #[inline(always)]
    pub fn push(&mut self, byte: u8) {
        if self.text.as_bytes().get(self.to) == Some(&byte) {
            self.to += 1;
        } else {
            self.flush();
            self.out.push(char::from(byte));
        }
    }

    /// Writes anything else; a short run, mostly, that differs early if it does.
    #[inline(always)]
    pub fn push_str(&mut self, new: &str) {
        let next = self.text.as_bytes().get(self.to..).unwrap_or_default();
        let mut same = 0;
        while let (Some(is), Some(wanted)) = (next.get(same), new.as_bytes().get(same)) {
            if is != wanted {
                break;
            }
            same += 1;
        }
        if same == new.len() {
            self.to += same;
        } else {
            self.flush();
            self.out.push_str(new);
        }
    }

    /// All that is written so far, to be looked at and added to.
    pub fn written(&mut self) -> &mut String {
        self.flush();
        &mut self.out
    }

    pub fn finish(mut self) -> String {
        self.flush();
        self.out
    }

    fn flush(&mut self) {
        let stretch = self.text.get(self.from..self.to).unwrap_or_default();
        self.out.push_str(stretch);
        self.from = self.to;
    }
}
