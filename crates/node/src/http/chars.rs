//! Which bytes may stand where.

/// A table of what a test says about each byte.
const fn table(kind: u8) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let one = byte as u8;
        table[byte] = match kind {
            TOKEN => {
                one.is_ascii_alphanumeric()
                    || matches!(
                        one,
                        b'!' | b'#'
                            | b'$'
                            | b'%'
                            | b'&'
                            | b'\''
                            | b'*'
                            | b'+'
                            | b'-'
                            | b'.'
                            | b'^'
                            | b'_'
                            | b'`'
                            | b'|'
                            | b'~'
                    )
            }
            VALUE => one == b'\t' || (one >= b' ' && one != 0x7f),
            URL => one > b' ' && one < 0x7f && one != b'#' && one != b'?',
            USER => {
                one.is_ascii_alphanumeric()
                    || matches!(
                        one,
                        b'-' | b'_'
                            | b'.'
                            | b'!'
                            | b'~'
                            | b'*'
                            | b'\''
                            | b'('
                            | b')'
                            | b'%'
                            | b';'
                            | b':'
                            | b'&'
                            | b'='
                            | b'+'
                            | b'$'
                            | b','
                            | b'['
                            | b']'
                    )
            }
            _ => {
                one == b'\t'
                    || one == b' '
                    || (one > b' ' && one != b'"' && one != b'\\' && one != 0x7f)
            }
        };
        byte += 1;
    }
    table
}

const TOKEN: u8 = 0;
const VALUE: u8 = 1;
const URL: u8 = 2;
const USER: u8 = 3;
const QUOTED: u8 = 4;

static TOKENS: [bool; 256] = table(TOKEN);
static VALUES: [bool; 256] = table(VALUE);
static URLS: [bool; 256] = table(URL);
static USERS: [bool; 256] = table(USER);
static QUOTES: [bool; 256] = table(QUOTED);

/// In a method, the name of a field, a transfer coding.
pub(crate) fn is_token(byte: u8) -> bool {
    TOKENS[usize::from(byte)]
}

/// In the value of a field.
pub(crate) fn is_value(byte: u8) -> bool {
    VALUES[usize::from(byte)]
}

/// In the path, query or fragment of a target, but for what divides them.
pub(crate) fn is_url(byte: u8) -> bool {
    URLS[usize::from(byte)]
}

/// In the authority of a target.
pub(crate) fn is_authority(byte: u8) -> bool {
    USERS[usize::from(byte)]
}

/// Within quotation marks, as it is.
pub(crate) fn is_quoted(byte: u8) -> bool {
    QUOTES[usize::from(byte)]
}
