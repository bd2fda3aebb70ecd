use browser_kit::copy_button::{CopyTexts, Copying, Step};
use yew::{Component, Context, Html};

/// A number with a button that copies it. Each remembers what became of it.
pub(super) struct CopyButton(Copying);

impl Component for CopyButton {
    type Message = Step;
    type Properties = CopyTexts;

    fn create(ctx: &Context<Self>) -> Self {
        Self(Copying::new(ctx.link().callback(|step| step)))
    }

    fn update(&mut self, _: &Context<Self>, step: Step) -> bool {
        self.0.step(step);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        self.0.button(ctx.props())
    }
}
