//! Plays the parts of the rehearsal.

use super::message::Message;
use super::rehearsal::{BREATH, NOW, Part, UNHURRIED, answered, pressed, start};
use super::{Checkout, views};
use browser_kit::timer;
use checkout_flow::Flow;
use payment_model::PaymentMethodName;
use std::mem;
use std::time::Duration;
use yew::{Callback, Context};

impl Checkout {
    /// Goes on during the screen that the payer sees now, once that is drawn.
    pub(super) fn rehearse_meanwhile(&mut self, ctx: &Context<Self>) {
        if self.rehearsal.pause.is_none() {
            let pause = if self.state == "choosing" {
                UNHURRIED
            } else {
                BREATH
            };
            self.pause(ctx, pause);
        }
    }

    /// Plays the next part, unless the payer was faster.
    pub(super) fn rehearse(&mut self, ctx: &Context<Self>) {
        if self.rehearsal.pause.take().is_none() {
            return;
        }
        self.rehearsal.clear();
        self.rehearsal.next = match mem::replace(&mut self.rehearsal.next, Part::Done) {
            Part::Formatter(formatter) => {
                let next = self.texts.warm(formatter);
                next.map_or(Part::Press, Part::Formatter)
            }
            // A page without it may forbid pictures of codes.
            Part::Press if !ctx.props().methods.contains(&PaymentMethodName::Qr) => Part::Done,
            Part::Press => {
                let (flow, commands) = pressed();
                self.draw_nowhere(ctx, &flow);
                Part::Request(Box::new(flow), commands)
            }
            Part::Request(flow, commands) => {
                let _ = self.rehearsal.click();
                let mut commands = commands.into_iter();
                let call = commands.find_map(|command| start(ctx.props(), command));
                call.map_or(Part::Done, |call| Part::Answer(flow, call))
            }
            Part::Answer(flow, call) => {
                answered(*flow, call).map_or(Part::Done, |flow| Part::Code(Box::new(flow)))
            }
            Part::Code(flow) => {
                self.draw_nowhere(ctx, &flow);
                Part::Clear
            }
            Part::Clear | Part::Done => Part::Done,
        };
        self.pause(ctx, BREATH);
    }

    fn pause(&mut self, ctx: &Context<Self>, pause: Duration) {
        self.rehearsal.pause = self.rehearsal.has_time(self.state).then(|| {
            let link = ctx.link().clone();
            timer::after(pause, move || link.send_message(Message::Rehearse))
        });
    }

    fn draw_nowhere(&mut self, ctx: &Context<Self>, flow: &Flow) {
        let around = self.around(ctx, flow, NOW);
        let screen = views::checkout(&flow.view(), &around, &Callback::noop());
        self.rehearsal.draw(screen);
    }
}
