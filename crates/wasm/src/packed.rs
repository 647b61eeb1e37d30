//! Long answers of the language service as numbers, a few for each part: 60,000 tokens as JSON took three times as long, 5,000 symbols
//! twice. Must not live here: what they say, how JavaScript reads them (`pkg/src/packed.js`).

use tailnet_kit::policy::service::{DocumentSymbol, Token};

/// Of each token where it starts and ends, and twice the number of its type, one more where a name is defined.
pub(crate) fn tokens(tokens: Vec<Token>) -> Vec<u32> {
    let packed = tokens.into_iter().map(|token| {
        let kind = token.kind.number() << 1 | u32::from(token.definition);
        [token.from as u32, token.to as u32, kind]
    });
    // In the memory of the tokens, which are as long.
    packed.collect::<Vec<_>>().into_flattened()
}

/// An outline as the texts of its symbols in one and numbers, of which the first is how many bytes those texts have.
pub(crate) fn outline(symbols: &[DocumentSymbol]) -> (String, Vec<u32>) {
    let mut outline = Outline {
        texts: String::new(),
        numbers: vec![0],
    };
    outline.list(symbols);
    if let Some(length) = outline.numbers.first_mut() {
        *length = outline.texts.len() as u32;
    }
    (outline.texts, outline.numbers)
}

struct Outline {
    texts: String,
    numbers: Vec<u32>,
}

impl Outline {
    /// Of a list how many symbols it has, and of each its kind, the UTF-16 units of its name and, one more, of its detail, its ranges
    /// and the list of its children.
    fn list(&mut self, symbols: &[DocumentSymbol]) {
        self.numbers.push(symbols.len() as u32);
        for symbol in symbols {
            let name = self.text(&symbol.name);
            let detail = symbol.detail.as_deref();
            let detail = detail.map_or(0, |detail| self.text(detail) + 1);
            self.numbers.extend([symbol.kind.number(), name, detail]);
            for range in [symbol.range, symbol.selection] {
                self.numbers.extend([range.from as u32, range.to as u32]);
            }
            self.list(&symbol.children);
        }
    }

    fn text(&mut self, text: &str) -> u32 {
        self.texts.push_str(text);
        text.encode_utf16().count() as u32
    }
}
