//! Commands as one would type them.

/// A word for a POSIX shell: as it is if that is safe, else in single quotes.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The words of a POSIX command line: single quotes and backslashes as
/// [`shell_word`] writes them.
pub fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => (quoted, any) = (!quoted, true),
            '\\' if !quoted => word.extend(chars.next()),
            c if c.is_whitespace() && !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            c => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

/// A size that `--target-size` reads back exactly: `128MiB`, else bytes.
pub fn size_word(bytes: u64) -> String {
    match bytes {
        b if b > 0 && b.is_multiple_of(1 << 30) => format!("{}GiB", b >> 30),
        b if b > 0 && b.is_multiple_of(1 << 20) => format!("{}MiB", b >> 20),
        b => b.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::target::parse_size;

    #[test]
    fn words() {
        assert_eq!(shell_word("/data/t-1"), "/data/t-1");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's $x"), r"'it'\''s $x'");
        assert_eq!(shell_word(""), "''");
        for bytes in [128 << 20, 1 << 30, 5, 3 << 20, 1234567] {
            assert_eq!(parse_size(&size_word(bytes)), Some(bytes));
        }
    }

    #[test]
    fn words_come_back_as_they_were_quoted() {
        for word in ["plain", "a b", "it's", "", "back\\slash", "'"] {
            assert_eq!(shell_words(&format!("x {} y", shell_word(word))), ["x", word, "y"]);
        }
    }
}
