//! Texts: digits to other bases, patterns of `printf`, URLs, sounds.

use std::fmt::Write;

use arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use percent_encoding::percent_decode_str;
use url::Url;

use super::rows::{Kind, Out, Patterns, RowFunction};

pub(super) const FUNCTIONS: &[RowFunction] = &[
    RowFunction { name: "bin", least: 1, most: 1, gives: Kind::Text, of: bin },
    RowFunction { name: "bit_count", least: 1, most: 1, gives: Kind::Long, of: bit_count },
    RowFunction { name: "conv", least: 3, most: 3, gives: Kind::Text, of: conv },
    RowFunction { name: "crc32", least: 1, most: 1, gives: Kind::Long, of: crc32 },
    RowFunction { name: "format_string", least: 1, most: 32, gives: Kind::Text, of: printf },
    RowFunction { name: "printf", least: 1, most: 32, gives: Kind::Text, of: printf },
    RowFunction { name: "mask", least: 1, most: 1, gives: Kind::Text, of: mask },
    RowFunction { name: "soundex", least: 1, most: 1, gives: Kind::Text, of: soundex },
    RowFunction { name: "regexp_substr", least: 2, most: 2, gives: Kind::Text, of: regexp_substr },
    RowFunction { name: "url_encode", least: 1, most: 1, gives: Kind::Text, of: url_encode },
    RowFunction { name: "url_decode", least: 1, most: 1, gives: Kind::Text, of: url_decode },
    RowFunction { name: "parse_url", least: 2, most: 3, gives: Kind::Text, of: parse_url },
    RowFunction { name: "json_array_length", least: 1, most: 1, gives: Kind::Long, of: json_length },
];

fn text(text: impl Into<String>) -> Result<Option<Out>> {
    Ok(Some(Out::Text(text.into())))
}

fn whole(text: &str) -> Result<i64> {
    text.parse().or_else(|_| exec_err!("\"{text}\" is no whole number"))
}

fn bin(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    text(format!("{:b}", whole(row[0])?))
}

fn bit_count(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    Ok(Some(Out::Long(whole(row[0])?.count_ones().into())))
}

/// Digits to one base as digits to another. A negative target base keeps the sign. Reading ends at
/// what is no digit; NULL for bases that there are not.
fn conv(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let (from, to) = (whole(row[1])?, whole(row[2])?);
    let base = |n: i64| u32::try_from(n.unsigned_abs()).ok().filter(|b| (2..=36).contains(b));
    let (Some(from), Some(base)) = (base(from), base(to)) else { return Ok(None) };
    let digits = row[0].trim();
    let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |rest| (true, rest));
    let read = digits.chars().map_while(|c| c.to_digit(from));
    let value = read.fold(0_u64, |sum, d| sum.saturating_mul(from.into()).saturating_add(d.into()));
    let (sign, mut value) = match (negative, to < 0) {
        (true, true) => ("-", value),
        (true, false) => ("", value.wrapping_neg()),
        _ => ("", value),
    };
    let mut out = Vec::new();
    while value > 0 || out.is_empty() {
        let digit = (value % u64::from(base)) as u32;
        out.extend(char::from_digit(digit, base).map(|c| c.to_ascii_uppercase()));
        value /= u64::from(base);
    }
    text(format!("{sign}{}", out.iter().rev().collect::<String>()))
}

fn crc32(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    Ok(Some(Out::Long(crc32fast::hash(row[0].as_bytes()).into())))
}

/// `%s %d %x %X %o %c %f %e %b %n %%` with flags `- 0 + ,`, width and digits.
fn printf(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let mut arguments = row[1..].iter();
    let mut out = String::new();
    let mut rest = row[0];
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic() || c == '%');
        let Some((at, kind)) = end.and_then(|at| Some((at, after[at..].chars().next()?))) else {
            return exec_err!("\"%{after}\" in a format has no end");
        };
        let spec = &after[..at];
        rest = &after[at + 1..];
        match kind {
            '%' => out.push('%'),
            'n' => out.push('\n'),
            _ => match arguments.next() {
                Some(value) => out.push_str(&shaped(spec, kind, value)?),
                None => return exec_err!("the format \"{}\" has more places than values", row[0]),
            },
        }
    }
    text(out + rest)
}

fn shaped(spec: &str, kind: char, value: &str) -> Result<String> {
    let flags: String = spec.chars().take_while(|c| "-0+, #(".contains(*c)).collect();
    let (width, digits) = spec[flags.len()..].split_once('.').unwrap_or((&spec[flags.len()..], ""));
    let width: usize = width.parse().unwrap_or(0);
    let number = || match value.parse::<f64>() {
        Ok(n) => Ok(n),
        Err(_) => exec_err!("%{kind} in a format wants a number, not \"{value}\""),
    };
    let decimals: usize = digits.parse().unwrap_or(6);
    let mut body = match kind {
        's' | 'b' | 'c' => value.chars().take(digits.parse().unwrap_or(usize::MAX)).collect(),
        'S' => value.to_uppercase(),
        'd' => whole(value)?.to_string(),
        'x' => format!("{:x}", whole(value)?),
        'X' => format!("{:X}", whole(value)?),
        'o' => format!("{:o}", whole(value)?),
        'f' => format!("{:.decimals$}", number()?),
        'e' | 'E' => {
            let plain = format!("{:.decimals$e}", number()?);
            let (mantissa, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}e{sign}{:02}", exponent.abs())
        }
        other => return exec_err!("%{other} in a format is not known"),
    };
    if flags.contains(',') && matches!(kind, 'd' | 'f') {
        body = grouped(&body);
    }
    if flags.contains('+') && matches!(kind, 'd' | 'f' | 'e') && !body.starts_with('-') {
        body.insert(0, '+');
    }
    let missing = width.saturating_sub(body.chars().count());
    if flags.contains('-') {
        body.push_str(&" ".repeat(missing));
    } else if flags.contains('0') {
        let sign = usize::from(body.starts_with(['-', '+']));
        body.insert_str(sign, &"0".repeat(missing));
    } else {
        body.insert_str(0, &" ".repeat(missing));
    }
    Ok(body)
}

/// Groups of three digits before the point.
fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (digits, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::from(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

fn mask(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let hidden = |c: char| match c {
        c if c.is_uppercase() => 'X',
        c if c.is_lowercase() => 'x',
        c if c.is_ascii_digit() => 'n',
        other => other,
    };
    text(row[0].chars().map(hidden).collect::<String>())
}

/// A text that starts with no letter stays.
fn soundex(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let code = |c: char| match c.to_ascii_uppercase() {
        'B' | 'F' | 'P' | 'V' => Some('1'),
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => Some('2'),
        'D' | 'T' => Some('3'),
        'L' => Some('4'),
        'M' | 'N' => Some('5'),
        'R' => Some('6'),
        _ => None,
    };
    let Some(first) = row[0].chars().next().filter(char::is_ascii_alphabetic) else { return text(row[0]) };
    let mut out = String::from(first.to_ascii_uppercase());
    let mut last = code(first);
    for c in row[0].chars().skip(1).filter(char::is_ascii_alphabetic) {
        // H and W do not part two letters of the same sound.
        if matches!(c.to_ascii_uppercase(), 'H' | 'W') {
            continue;
        }
        let this = code(c);
        if this.is_some() && this != last {
            out.extend(this);
        }
        last = this;
        if out.len() == 4 {
            break;
        }
    }
    text(format!("{out:0<4}"))
}

/// The first match; NULL if there is none.
fn regexp_substr(row: &[&str], _: &DataType, patterns: &mut Patterns) -> Result<Option<Out>> {
    Ok(patterns.get(row[1])?.find(row[0]).map(|found| Out::Text(found.as_str().to_owned())))
}

fn url_encode(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    text(url::form_urlencoded::byte_serialize(row[0].as_bytes()).collect::<String>())
}

fn url_decode(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    text(percent_decode_str(&row[0].replace('+', " ")).decode_utf8_lossy())
}

/// `HOST`, `PATH`, `QUERY` (with a key one value of it), `REF`, `PROTOCOL`, `FILE`, `AUTHORITY`,
/// `USERINFO`; NULL where there is none.
fn parse_url(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let Ok(url) = Url::parse(row[0]) else { return Ok(None) };
    let user = || {
        let name = url.username();
        url.password().map_or_else(|| name.to_owned(), |p| format!("{name}:{p}"))
    };
    let part = match (row[1], row.get(2)) {
        ("QUERY", Some(key)) => {
            let mut pairs = url.query().unwrap_or("").split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| name == key).map(|(_, value)| value.to_owned())
        }
        (_, Some(_)) => None,
        ("HOST", None) => url.host_str().map(str::to_owned),
        ("PATH", None) => Some(url.path().to_owned()),
        ("QUERY", None) => url.query().map(str::to_owned),
        ("REF", None) => url.fragment().map(str::to_owned),
        ("PROTOCOL", None) => Some(url.scheme().to_owned()),
        ("USERINFO", None) => Some(user()).filter(|u| !u.is_empty()),
        ("AUTHORITY", None) => Some(url.authority().to_owned()).filter(|a| !a.is_empty()),
        ("FILE", None) => {
            let mut file = url.path().to_owned();
            if let Some(query) = url.query() {
                let _ = write!(file, "?{query}");
            }
            Some(file)
        }
        _ => None,
    };
    Ok(part.map(Out::Text))
}

/// NULL for what is no array.
fn json_length(row: &[&str], _: &DataType, _: &mut Patterns) -> Result<Option<Out>> {
    let found: Option<Vec<serde_json::Value>> = serde_json::from_str(row[0]).ok();
    Ok(found.map(|all| Out::Long(all.len() as i64)))
}
