//! What a network does when it is to fail.

use super::{Net, id, second};
use crate::faults::Broken;
use hemiola_gate::sockets;
use hemiola_gate::{Answer, Datum, Wire};
use hemiola_machine::Instant;

impl Net {
    /// What becomes of an answer about a connection when something goes wrong with it.
    pub(crate) fn break_off(
        &mut self,
        now: Instant,
        id: u64,
        kind: &str,
        answer: Answer,
        broken: Broken,
    ) -> Answer {
        match (broken, answer) {
            (Broken::Refused(fault), answer) => {
                self.abandon(now, &answer);
                Err(fault)
            }
            (Broken::Cut(fault), _) => {
                self.cut(now, id, kind == "stream.read");
                Err(fault)
            }
            (Broken::Short(count), Ok(Datum::Bytes(mut bytes))) => {
                self.unread(id, &bytes.split_off(count.min(bytes.len())));
                Ok(Datum::Bytes(bytes))
            }
            (_, answer) => answer,
        }
    }

    /// What a request for something at once gets when something goes wrong; nothing if it is to be done
    /// all the same, as it is then.
    pub(crate) fn spoil(
        &mut self,
        now: Instant,
        request: &mut Wire,
        broken: Broken,
    ) -> Option<Answer> {
        match broken {
            Broken::Refused(fault) => Some(Err(fault)),
            Broken::Cut(fault) => {
                self.cut(now, id(&request.arguments), false);
                Some(Err(fault))
            }
            Broken::Short(count) => {
                let mut bytes = sockets::bytes(second(&mut request.arguments));
                bytes.truncate(count);
                if let Some(argument) = request.arguments.get_mut(1) {
                    *argument = Datum::Bytes(bytes);
                }
                None
            }
            Broken::Lost => {
                let length = sockets::bytes(second(&mut request.arguments)).len();
                Some(Ok(Datum::Number(length as f64)))
            }
        }
    }
}
