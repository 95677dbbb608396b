//! Values of a log as they come: read leniently, kept only if they are what they should be.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An integer that may have been written as something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Int {
    /// Not there, or null.
    #[default]
    Missing,
    Value(i64),
    /// There, but not an integer of 64 bits.
    Odd,
}

impl Int {
    pub fn value(self) -> Option<i64> {
        match self {
            Int::Value(n) => Some(n),
            _ => None,
        }
    }

    /// A value that is not negative.
    pub fn natural(self) -> Option<u64> {
        self.value().and_then(|n| u64::try_from(n).ok())
    }
}

struct IntVisitor;

impl<'de> Visitor<'de> for IntVisitor {
    type Value = Int;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer")
    }

    fn visit_i64<E>(self, n: i64) -> Result<Int, E> {
        Ok(Int::Value(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Int, E> {
        Ok(i64::try_from(n).map_or(Int::Odd, Int::Value))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Int, E> {
        // 2^53: beyond it a float does not tell which integer was meant.
        let whole = n.fract() == 0.0 && n.abs() <= 9_007_199_254_740_992.0;
        Ok(if whole { Int::Value(n as i64) } else { Int::Odd })
    }

    fn visit_str<E>(self, text: &str) -> Result<Int, E> {
        Ok(text.parse().map_or(Int::Odd, Int::Value))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Int, E> {
        Ok(Int::Odd)
    }

    fn visit_unit<E>(self) -> Result<Int, E> {
        Ok(Int::Missing)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Int, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Int::Odd)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Int, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| Int::Odd)
    }
}

impl<'de> Deserialize<'de> for Int {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(IntVisitor)
    }
}

/// A flag; anything but a boolean is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flag(pub Option<bool>);

struct FlagVisitor;

impl<'de> Visitor<'de> for FlagVisitor {
    type Value = Flag;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a boolean")
    }

    fn visit_bool<E>(self, b: bool) -> Result<Flag, E> {
        Ok(Flag(Some(b)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Flag, E> {
        Ok(Flag(text.parse().ok()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Flag, E> {
        Ok(Flag(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Flag, E> {
        Ok(Flag(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Flag, E> {
        Ok(Flag(None))
    }

    fn visit_unit<E>(self) -> Result<Flag, E> {
        Ok(Flag(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Flag, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Flag(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Flag, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| Flag(None))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FlagVisitor)
    }
}

/// A text, borrowed where the JSON holds it without escapes. Numbers and booleans become their
/// text; null and nested values are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text<'a>(pub Option<Cow<'a, str>>);

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
        Ok(Text(Some(Cow::Owned(text))))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Text<'de>, E> {
        Ok(Text(Some(n.to_string().into())))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Text<'de>, E> {
        Ok(Text(Some(n.to_string().into())))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Text<'de>, E> {
        Ok(Text(Some(n.to_string().into())))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Text<'de>, E> {
        Ok(Text(Some(b.to_string().into())))
    }

    fn visit_unit<E>(self) -> Result<Text<'de>, E> {
        Ok(Text(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text<'de>, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Text(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Text<'de>, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| Text(None))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextVisitor)
    }
}

/// A map from texts to texts, in its own order. Anything but a map is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextMap<'a>(pub Vec<(Cow<'a, str>, Text<'a>)>);

struct TextMapVisitor;

impl<'de> Visitor<'de> for TextMapVisitor {
    type Value = TextMap<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TextMap<'de>, A::Error> {
        let mut out = Vec::with_capacity(map.size_hint().unwrap_or(0));
        while let Some((key, value)) = map.next_entry::<Text<'de>, Text<'de>>()? {
            out.push((key.0.unwrap_or_default(), value));
        }
        Ok(TextMap(out))
    }

    fn visit_unit<E>(self) -> Result<TextMap<'de>, E> {
        Ok(TextMap::default())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<TextMap<'de>, E> {
        Ok(TextMap::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<TextMap<'de>, A::Error> {
        IgnoredAny.visit_seq(seq).map(|_| TextMap::default())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for TextMap<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextMapVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let of = |text| serde_json::from_str::<Int>(text).unwrap();
        assert_eq!(of("5"), Int::Value(5));
        assert_eq!(of("5.0"), Int::Value(5));
        assert_eq!(of("\"5\""), Int::Value(5));
        assert_eq!(of("null"), Int::Missing);
        for odd in ["5.5", "1e300", "18446744073709551615", "\"x\"", "true", "[1]", "{\"a\":{}}"] {
            assert_eq!(of(odd), Int::Odd, "{odd}");
        }
        assert_eq!(of("-1").natural(), None);
    }

    #[test]
    fn texts_and_maps() {
        let map: TextMap<'_> =
            serde_json::from_str(r#"{"a":"x","b":null,"c":1.5,"d":[1],"e\n":"\"q"}"#).unwrap();
        let got: Vec<(&str, Option<&str>)> =
            map.0.iter().map(|(k, v)| (k.as_ref(), v.0.as_deref())).collect();
        assert_eq!(
            got,
            [("a", Some("x")), ("b", None), ("c", Some("1.5")), ("d", None), ("e\n", Some("\"q"))]
        );
        assert!(serde_json::from_str::<TextMap<'_>>("null").unwrap().0.is_empty());
    }
}
