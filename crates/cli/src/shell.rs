//! Command lines to be pasted into a shell.

use std::ffi::OsString;

/// A command line as a shell reads it.
pub(crate) fn line(words: impl IntoIterator<Item = OsString>) -> String {
    let words = words.into_iter().map(|word| quoted(&word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

/// The words of a program, after two dashes if one of them would be taken for a flag of ours.
pub(crate) fn apart(words: &[OsString]) -> impl Iterator<Item = OsString> {
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-") && word != "-";
    let dashes = words.iter().any(is_flag).then(|| OsString::from("--"));
    dashes.into_iter().chain(words.iter().cloned())
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:=,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("dir/nt.l"), "dir/nt.l");
        assert_eq!(quoted("my file.l"), "'my file.l'");
        assert_eq!(quoted("d,x'"), r"'d,x'\'''");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("$HOME"), "'$HOME'");
    }
}
