//! What a network does when it is to fail.

use super::{Net, NetworkCall};
use crate::faults::Broken;
use hemiola_gate::{Answer, Datum, StreamCall};
use hemiola_machine::Instant;

impl Net {
    /// What becomes of an answer about a connection when something goes wrong with it.
    pub(crate) fn break_off(&mut self, now: Instant, answer: Answer, broken: Broken) -> Answer {
        match (broken, answer) {
            (Broken::Refused(fault), answer) => {
                self.abandon(now, &answer);
                Err(fault)
            }
            (Broken::Cut { stream, told, fault }, _) => {
                self.cut(now, stream, told);
                Err(fault)
            }
            (Broken::ShortRead { stream, count }, Ok(Datum::Bytes(mut bytes))) => {
                self.unread(stream, &bytes.split_off(count.min(bytes.len())));
                Ok(Datum::Bytes(bytes))
            }
            (
                Broken::ShortRead { .. } | Broken::ShortWrite { .. } | Broken::Lost { .. },
                answer,
            ) => answer,
        }
    }

    /// What a call for something at once gets when something goes wrong; nothing if it is to be done all
    /// the same, as it is then.
    pub(crate) fn spoil(
        &mut self,
        now: Instant,
        call: &mut NetworkCall,
        broken: Broken,
    ) -> Option<Answer> {
        match broken {
            Broken::Refused(fault) => Some(Err(fault)),
            Broken::Cut { stream, told, fault } => {
                self.cut(now, stream, told);
                Some(Err(fault))
            }
            Broken::ShortWrite { count } => {
                if let NetworkCall::Stream(StreamCall::TryWrite { bytes, .. }) = call {
                    bytes.truncate(count);
                }
                None
            }
            Broken::Lost { length } => Some(Ok(Datum::Number(length as f64))),
            Broken::ShortRead { .. } => None,
        }
    }
}
