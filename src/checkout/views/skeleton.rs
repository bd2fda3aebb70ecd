use super::qr_steps::steps;
use super::slow::when_slow;
use super::view_context::{Kind, ViewContext, paragraph};
use super::ways_out::back;
use crate::texts::{SpokenText, Text};
use checkout_flow::Event;
use yew::{Callback, Html, html};

/// The outline of the QR screen, with its steps, and as large as that: nothing jumps when the
/// code comes. The words stand where the code will.
pub(super) fn skeleton(context: &ViewContext<'_>, lead: &SpokenText) -> Html {
    html! {
        <>
            <div class="pay">
                <div key="bone" class="code-tile">
                    <div class="tile bone">
                        <div>{ paragraph(Kind::Lead, lead) }{ slow(context, Html::default()) }</div>
                    </div>
                </div>
                <slot name="wallets" />
                <div class="side">
                    <div class="keep"><span class="save bone" /></div>
                    { steps(context) }
                </div>
            </div>
            <div class="bone row" />
            <div class="bone row" />
            // The later buttons, as wide as they will be in this language. The payer cannot see or reach them
            // yet, and only the way out when it takes long. They are other nodes than the buttons of the code.
            <div key="later" class="actions">
                { when_slow(context, back(context, "plain unsaid"), back(context, "plain"), Callback::noop()) }
                if context.view.has_another_way {
                    { context.button("quiet unsaid", Text::ActionCancel, || Event::CancelPressed) }
                }
            </div>
            { paragraph(Kind::Promise, &context.text(Text::Trust)) }
        </>
    }
}

/// That it takes long, once it does, and with it a way out.
pub(super) fn slow(context: &ViewContext<'_>, way_out: Html) -> Html {
    let late = html! {
        <>
            { paragraph(Kind::Muted, &context.text(Text::AuthorizingSlow)) }
            { way_out }
        </>
    };
    when_slow(
        context,
        Html::default(),
        late,
        context.inputs.on_part.clone(),
    )
}
