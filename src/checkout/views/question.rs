//! The question if the payer means to cancel, as the browser's own modal dialog: it takes the focus
//! whatever had it, and gives it back. Some browsers focus no button that is clicked, so a question
//! that waits for the focus would open unsaid there.

use web_sys::wasm_bindgen::JsCast;
use web_sys::wasm_bindgen::closure::Closure;
use web_sys::{HtmlDialogElement, HtmlElement, ResizeObserver};

/// Opens and closes the question while it is asked, as the page shows the checkout or hides it: in a
/// tab, or in a dialog of its own. No other event tells that.
#[derive(Debug)]
pub(super) struct Watch {
    observer: ResizeObserver,
    _report: Closure<dyn FnMut()>,
}

impl Watch {
    pub(super) fn over(frame: HtmlElement) -> Option<Self> {
        let watched = frame.clone();
        let report = Closure::new(move || show(&frame));
        let observer = ResizeObserver::new(report.as_ref().unchecked_ref()).ok()?;
        observer.observe(&watched);
        Some(Self {
            observer,
            _report: report,
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Opens the question in this frame, or closes it where nobody sees it.
pub(super) fn show(frame: &HtmlElement) {
    if let Ok(Some(dialog)) = frame.query_selector("dialog") {
        open(dialog.unchecked_ref(), frame.offset_width() > 0);
    }
}

/// Opens it, unless it is open. On a page that does not show the checkout an open one would hold
/// the page without being seen, so there it waits, or closes.
fn open(dialog: &HtmlDialogElement, shown: bool) {
    let open = dialog.has_attribute("open");
    if !shown {
        if open {
            dialog.close();
        }
        return;
    }
    // A page that moves the element leaves the dialog open, and modal no more. Older browsers do not
    // know the selector.
    if open && dialog.matches(":modal").unwrap_or(true) {
        return;
    }
    let _ = dialog.remove_attribute("open");
    if dialog.show_modal().is_err() {
        let _ = dialog.set_attribute("open", "");
    }
    if let Ok(Some(keep)) = dialog.query_selector("button") {
        let _ = keep.unchecked_ref::<HtmlElement>().focus();
    }
}

/// Closes it, which gives the focus back to the element that had it.
pub(super) fn close(dialog: &HtmlElement) {
    let dialog: &HtmlDialogElement = dialog.unchecked_ref();
    if dialog.has_attribute("open") {
        dialog.close();
    }
}
