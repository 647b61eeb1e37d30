//! Time limits and cancellation. Must not live here: the work that is cut short.
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;

use js_sys::Function;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortController, AbortSignal};

use super::cause::{Cause, Fault};
use crate::api::Interrupted;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout, catch)]
    fn set_timeout(callback: &Function, milliseconds: i32) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: &JsValue);
}

/// A duration as timers take it.
pub(super) fn whole_milliseconds(time: Duration) -> u32 {
    let seconds = u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    let whole = seconds.saturating_mul(1000);
    whole.saturating_add(time.subsec_millis())
}

/// Waits for what can cut an attempt short: the call's signal and a timer. Dropping it releases both.
pub(super) struct Watch {
    state: Rc<RefCell<WatchState>>,
    controller: Result<AbortController, JsValue>,
    outer: Option<(AbortSignal, Closure<dyn FnMut()>)>,
    timer: Option<(JsValue, Closure<dyn FnMut()>)>,
}

#[derive(Default)]
struct WatchState {
    interrupted: Option<Fault>,
    waker: Option<Waker>,
}

impl Watch {
    /// `outer` is an `AbortSignal` or `undefined`.
    pub(super) fn start(outer: &JsValue, timeout: Option<Duration>) -> Self {
        let mut watch = Watch {
            state: Rc::default(),
            controller: AbortController::new(),
            outer: None,
            timer: None,
        };
        if outer.is_object() {
            watch.listen(outer.clone().unchecked_into());
        }
        let milliseconds = timeout.and_then(|time| i32::try_from(whole_milliseconds(time)).ok());
        if let Some(milliseconds) = milliseconds {
            let expire = watch.interrupter();
            let callback = Closure::new(move || expire(Interrupted::Timeout));
            // Where timers are forbidden (the global scope of a worker) fetch is too, and says so.
            let id = set_timeout(callback.as_ref().unchecked_ref(), milliseconds);
            watch.timer = id.ok().map(|id| (id, callback));
        }
        watch
    }

    fn listen(&mut self, signal: AbortSignal) {
        let interrupt = self.interrupter();
        let reason = signal.clone();
        let on_abort = move || interrupt(Interrupted::Aborted(Cause(reason.reason())));
        if signal.aborted() {
            return on_abort();
        }
        let callback = Closure::new(on_abort);
        let function = callback.as_ref().unchecked_ref();
        drop(signal.add_event_listener_with_callback("abort", function));
        self.outer = Some((signal, callback));
    }

    /// A function that ends the race with a fault, unless one came before, and cancels the fetch.
    fn interrupter(&self) -> impl Fn(Fault) + 'static {
        let state = Rc::clone(&self.state);
        let controller = self.controller.clone();
        move |fault| {
            let mut state = state.borrow_mut();
            state.interrupted.get_or_insert(fault);
            let waker = state.waker.take();
            // Aborting runs other listeners, which may come back here.
            drop(state);
            if let Ok(controller) = &controller {
                controller.abort();
            }
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }

    pub(super) fn signal(&self) -> Option<AbortSignal> {
        self.controller.as_ref().ok().map(AbortController::signal)
    }

    /// The result of the work, or the fault if it comes first. Work that ignores its signal is abandoned.
    pub(super) async fn race<X>(
        &self,
        work: impl Future<Output = Result<X, Fault>>,
    ) -> Result<X, Fault> {
        let mut work = pin!(work);
        poll_fn(|context| {
            let mut state = self.state.borrow_mut();
            if let Some(fault) = &state.interrupted {
                return Poll::Ready(Err(fault.clone()));
            }
            state.waker = Some(context.waker().clone());
            drop(state);
            work.as_mut().poll(context)
        })
        .await
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((signal, callback)) = &self.outer {
            let function = callback.as_ref().unchecked_ref();
            drop(signal.remove_event_listener_with_callback("abort", function));
        }
        if let Some((id, _)) = &self.timer {
            clear_timeout(id);
        }
    }
}
