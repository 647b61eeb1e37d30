//! The last few documents that were asked about: parsed, judged and tested once, however many questions come.
//!
//! Calls stay stateless to who makes them: what is kept is found by equality of the texts. While a document is read, the memo is
//! out of its place; a call that the end of the memory or the stack cuts short then takes it along. Must not live here: what is
//! asked.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use self_cell::self_cell;

use crate::spoken;
use crate::texts::with_texts;
use tailnet_kit::hujson::{self, Document};
use tailnet_kit::policy::{
    Check, Error, Finding, Judge, Judged, Judgement, Policy, PolicyContext, TestReport, closes,
};

/// How many pairs of text and context are kept: two documents that are compared, each as it was and as it is.
const KEPT: usize = 4;

/// How many bytes of text and context are kept: a page does not pay for large ones that it has put away.
const LARGEST: usize = 8 << 20;

thread_local! {
    static MEMO: Cell<Memo> = const { Cell::new(Memo(Vec::new())) };
}

self_cell!(
    struct Parsed {
        owner: Box<str>,
        #[covariant]
        dependent: Document,
    }
);

self_cell!(
    struct Read {
        owner: Parsed,
        #[covariant]
        dependent: Policy,
    }
);

self_cell!(
    struct Prepared {
        owner: (Rc<Read>, Rc<PolicyContext>),
        #[covariant]
        dependent: Judge,
    }
);

/// The last readings, the latest first.
#[derive(Default)]
struct Memo(Vec<Rc<Reading>>);

/// A document beside what is known of its tailnet.
pub(crate) struct Reading {
    read: Rc<Read>,
    /// The JSON of the context.
    json: Box<str>,
    context: Rc<PolicyContext>,
    judge: OnceCell<Prepared>,
    problems: OnceCell<Vec<Finding>>,
    tests: OnceCell<TestReport>,
}

/// Lends out the memo.
fn with<R>(act: impl FnOnce(&mut Memo) -> R) -> R {
    let mut memo = MEMO.take();
    let result = act(&mut memo);
    MEMO.set(memo);
    result
}

/// The document in the buffer, whatever the service would say to it.
///
/// # Errors
/// As [`open`], but for [`Error::Refused`].
#[inline(never)]
pub(crate) fn read(length: usize, context: usize) -> Result<Rc<Reading>, Error> {
    with_texts([length, context], |[text, context]| {
        with(|memo| memo.read(text, context))
    })
}

/// The verdict on the text in the buffer, whether it is a document or not.
///
/// # Errors
/// As [`read`], but for [`Error::Syntax`].
#[inline(never)]
pub(crate) fn check(length: usize, context: usize) -> Result<Check, Error> {
    with_texts([length, context], |[text, context]| {
        match with(|memo| memo.read(text, context)) {
            Err(Error::Syntax(error)) => {
                let context = PolicyContext::read(context).map_err(Error::Argument)?;
                Ok(Check::of_no_document(&error, context.dialect_of(text)))
            }
            reading => Ok(reading?.check()),
        }
    })
}

/// The document in the buffer, if it has answers.
///
/// # Errors
/// [`Error::Syntax`], [`Error::Argument`] for what is no context, and [`Error::Refused`].
#[inline(never)]
pub(crate) fn open(length: usize, context: usize) -> Result<Rc<Reading>, Error> {
    with_texts([length, context], |[text, context]| {
        with(|memo| memo.open(text, context))
    })
}

/// Two documents that both have answers, each with its context behind it; an empty one stands for that of the first.
///
/// # Errors
/// As [`open`].
#[inline(never)]
pub(crate) fn open_both(lengths: [usize; 4]) -> Result<[Rc<Reading>; 2], Error> {
    with_texts(lengths, |[before, context, after, context_after]| {
        let context_after = match context_after.is_empty() {
            true => context,
            false => context_after,
        };
        with(|memo| {
            let before = memo.open(before, context);
            let before = before.map_err(|error| error.of("before"))?;
            let after = memo.open(after, context_after);
            Ok([before, after.map_err(|error| error.of("after"))?])
        })
    })
}

/// A document that has answers, with its context behind it, and another one in the same context, unless that is empty.
///
/// # Errors
/// As [`open`].
#[inline(never)]
pub(crate) fn open_beside(
    lengths: [usize; 3],
) -> Result<(Rc<Reading>, Option<Rc<Reading>>), Error> {
    with_texts(lengths, |[text, context, base]| {
        with(|memo| {
            let base = (!base.is_empty()).then(|| memo.open(base, context));
            let base = base.transpose().map_err(|error| error.of("base"))?;
            Ok((memo.open(text, context)?, base))
        })
    })
}

impl Memo {
    /// The reading of a text in a context, which is the latest from now on.
    ///
    /// # Errors
    /// [`Error::Syntax`], and [`Error::Argument`] for what is no context.
    #[inline(never)]
    fn read(&mut self, text: &str, context: &str) -> Result<Rc<Reading>, Error> {
        let is_same = |known: &Rc<Reading>| known.text() == text && *known.json == *context;
        let reading = match self.0.iter().position(is_same) {
            Some(at) => self.0.remove(at),
            None => Rc::new(self.new_reading(text, context)?),
        };
        self.0.insert(0, reading.clone());
        self.0.truncate(KEPT);
        let mut left = LARGEST;
        self.0.retain(|known| {
            let rest = left.checked_sub(known.text().len() + known.json.len());
            left = rest.unwrap_or_default();
            rest.is_some()
        });
        Ok(reading)
    }

    /// The same for a document that has answers.
    ///
    /// # Errors
    /// As [`Memo::read`], and [`Error::Refused`].
    fn open(&mut self, text: &str, context: &str) -> Result<Rc<Reading>, Error> {
        let reading = self.read(text, context)?;
        match closes(reading.problems()) {
            false => Ok(reading),
            true => Err(Error::Refused(Box::new(reading.check()))),
        }
    }

    /// Reads what is new, and takes the rest from other readings.
    fn new_reading(&self, text: &str, json: &str) -> Result<Reading, Error> {
        let of_json = self.0.iter().find(|known| *known.json == *json);
        let context = match of_json {
            Some(known) if known.is_for(text) => known.context.clone(),
            _ => {
                let context = PolicyContext::read(json).map_err(Error::Argument)?;
                Rc::new(context.known_for(text).into_owned())
            }
        };
        let dialect = context.dialect_of(text);
        spoken::needs(dialect);
        let is_same =
            |known: &&Rc<Reading>| known.text() == text && known.policy().dialect == dialect;
        let of_text = self.0.iter().find(is_same);
        let read = match of_text {
            Some(known) => known.read.clone(),
            None => {
                let parsed =
                    Parsed::try_new(text.into(), |text| hujson::parse(dialect.document(text)))?;
                Rc::new(Read::new(parsed, |parsed| {
                    Policy::read_as(parsed.borrow_dependent(), dialect)
                }))
            }
        };
        Ok(Reading {
            read,
            json: json.into(),
            context,
            judge: OnceCell::new(),
            problems: OnceCell::new(),
            tests: OnceCell::new(),
        })
    }
}

impl Reading {
    /// The text of the document.
    pub fn text(&self) -> &str {
        self.read.borrow_owner().borrow_owner()
    }

    /// Whether its context is as a text needs it: where neither names another dialect.
    fn is_for(&self, text: &str) -> bool {
        self.policy().dialect == self.context.dialect_of(text)
    }

    /// The document.
    pub fn policy(&self) -> &Policy<'_> {
        self.read.borrow_dependent()
    }

    /// The document in its network, ready for questions.
    #[inline(never)]
    pub fn judge(&self) -> &Judge<'_> {
        let prepared = self.judge.get_or_init(|| {
            let owner = (self.read.clone(), self.context.clone());
            Prepared::new(owner, |(read, context)| {
                Judge::new(read.borrow_dependent(), context)
            })
        });
        prepared.borrow_dependent()
    }

    /// The document with the verdict on it.
    pub fn judged<'r>(&'r self, check: &'r Check) -> Judged<'r> {
        Judged {
            judge: self.judge(),
            check,
        }
    }

    /// What is known of the tailnet around it.
    pub fn context(&self) -> &PolicyContext {
        &self.context
    }

    /// The same for a question about devices.
    ///
    /// # Errors
    /// No devices are known: an answer by device would be empty, which says that nobody may do anything.
    pub fn context_of_devices(&self) -> Result<&PolicyContext, Error> {
        self.context.need_devices()?;
        Ok(&self.context)
    }

    /// How the tests of the document end.
    pub fn tests(&self) -> &TestReport {
        self.tests.get_or_init(|| match self.policy().has_tests() {
            true => self.judge().run_tests(),
            false => TestReport::default(),
        })
    }

    fn problems(&self) -> &[Finding] {
        self.problems
            .get_or_init(|| self.policy().problems(&self.context))
    }

    /// The whole verdict on the document.
    pub fn check(&self) -> Check {
        let judgement = Judgement::new(
            self.policy(),
            self.problems().to_vec(),
            self.tests().clone(),
        );
        self.policy().verdict(judgement, &self.context)
    }
}
