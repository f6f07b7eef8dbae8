//! Whatever the cuts, the same messages; and never a panic.

use super::parser::{Event, Kind, Parser, Verdict};
use proptest::prelude::*;

/// What a parser makes of packets, as text; the bytes of a body in one piece.
fn read(kind: Kind, packets: &[&[u8]], verdict: Verdict) -> Vec<String> {
    let mut parser = Parser::new(kind, 16 * 1024, false);
    let mut told = Vec::new();
    let mut body = Vec::new();
    for packet in packets {
        let mut at = 0;
        loop {
            match parser.next(packet, &mut at) {
                Ok(Event::More) => {
                    assert_eq!(at, packet.len(), "all was taken");
                    break;
                }
                Ok(Event::Stopped) => return told,
                Ok(Event::Head(head)) => {
                    told.push(format!("{head:?}"));
                    parser.decide(verdict);
                }
                Ok(Event::Body(range)) => body.extend_from_slice(&packet[range]),
                Ok(Event::Complete(trailers)) => {
                    told.push(format!("{body:?} {trailers:?}"));
                    body.clear();
                }
                Err(refusal) => {
                    told.push(format!("{body:?} {} {}", refusal.code, refusal.reason));
                    return told;
                }
            }
        }
    }
    told.push(format!("{body:?} {:?}", parser.finish()));
    told
}

/// Bytes that look like messages, and sometimes are some.
fn messages() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("GET / HTTP/1.1\r\n"),
        Just("POST /a?b#c HTTP/1.1\r\n"),
        Just("GET http://a@b:1/ HTTP/1.0\r\n"),
        Just("CONNECT a:1 HTTP/1.1\r\n"),
        Just("HTTP/1.1 200 OK\r\n"),
        Just("HTTP/1.0 404 Not Found\r\n"),
        Just("HTTP/1.1 101 \r\n"),
        Just("Host: a\r\n"),
        Just("Content-Length: 3\r\n"),
        Just("content-length: 0\r\n"),
        Just("Transfer-Encoding: chunked\r\n"),
        Just("Transfer-Encoding: gzip, chunked\r\n"),
        Just("Connection: close\r\n"),
        Just("Connection: keep-alive, Upgrade\r\n"),
        Just("Upgrade: x\r\n"),
        Just("A:  b \t c \r\n"),
        Just("A: \u{e9}\r\n"),
        Just("\r\n"),
        Just("\r\n"),
        Just("\n"),
        Just("\r"),
        Just(" "),
        Just("abc"),
        Just("3\r\nabc\r\n"),
        Just("a;b=\"c\"\r\n0123456789\r\n"),
        Just("0\r\n\r\n"),
        Just("0\r\nA: b\r\n\r\n"),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat().into_bytes())
}

fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    places.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect()
}

proptest! {
    #[test]
    fn cuts_change_nothing(bytes in messages(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        for kind in [Kind::Request, Kind::Response] {
            for verdict in [Verdict::Ordinary, Verdict::NoBody, Verdict::NoUpgrade] {
                let whole = read(kind, &[&bytes], verdict);
                prop_assert_eq!(&whole, &read(kind, &cut(&bytes, &cuts), verdict));
                let single: Vec<&[u8]> = bytes.chunks(1).collect();
                prop_assert_eq!(&whole, &read(kind, &single, verdict));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), head in messages()) {
        for kind in [Kind::Request, Kind::Response] {
            read(kind, &[&bytes], Verdict::Ordinary);
            read(kind, &[&head, &bytes], Verdict::Ordinary);
        }
    }
}
