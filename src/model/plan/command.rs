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

/// Column names with commas between; one that holds a comma or quote stands in double quotes, as in SQL.
pub fn name_list(names: &[String]) -> String {
    let one = |name: &String| match name.contains([',', '"']) || name.trim() != name {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    names.iter().map(one).collect::<Vec<_>>().join(",")
}

/// The names of such a list.
pub fn names_of(list: &str) -> Vec<String> {
    let mut out = Vec::new();
    let (mut name, mut quoted, mut was_quoted) = (String::new(), false, false);
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => name.extend(chars.next()),
            '"' if quoted => quoted = false,
            '"' if name.trim().is_empty() => {
                (quoted, was_quoted) = (true, true);
                name.clear();
            }
            ',' if !quoted => {
                out.push(ended(&mut name, &mut was_quoted));
            }
            c if was_quoted && !quoted && c.is_whitespace() => {}
            c => name.push(c),
        }
    }
    out.push(ended(&mut name, &mut was_quoted));
    out.retain(|name| !name.is_empty());
    out
}

fn ended(name: &mut String, was_quoted: &mut bool) -> String {
    let name = std::mem::take(name);
    if std::mem::take(was_quoted) { name } else { name.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::target::parse_size;

    #[test]
    fn lists_of_names_are_read_as_they_are_written() {
        for names in [vec!["a", "b"], vec!["a,b", "c"], vec!["it \"is\"", " x "], vec!["ä"]] {
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            assert_eq!(names_of(&name_list(&names)), names);
        }
        assert_eq!(names_of(" a , b,"), ["a", "b"]);
        assert_eq!(name_list(&["a".into(), "b,c".into()]), "a,\"b,c\"");
    }

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
