//! What the terminal can show, by environment, settings and flags. The terminal itself is not
//! asked: an answer could take long to come, or never come.

use crate::ui::{Colours, Look};

use super::settings::{ColourChoice, Settings};

/// The look for this terminal: flags before settings before what the environment tells.
pub fn look(no_color: bool, ascii: bool, settings: &Settings) -> Look {
    look_by(no_color, ascii, settings, |name| std::env::var(name).ok())
}

fn look_by(no_color: bool, ascii: bool, settings: &Settings, env: impl Fn(&str) -> Option<String>) -> Look {
    // An empty variable counts as unset, for NO_COLOR (no-color.org) as for the locale (POSIX).
    let env = |name: &str| env(name).filter(|value| !value.is_empty());
    let colours = match settings.colour {
        _ if no_color => Colours::None,
        ColourChoice::Exactly(colours) => colours,
        ColourChoice::Auto if env("NO_COLOR").is_some() => Colours::None,
        ColourChoice::Auto => colours_of(env("TERM").as_deref(), env("COLORTERM").as_deref()),
    };
    let ascii = ascii || settings.ascii.unwrap_or_else(|| is_ascii(&env));
    Look { colours, ascii }
}

fn colours_of(term: Option<&str>, colorterm: Option<&str>) -> Colours {
    let term = term.unwrap_or_default();
    if term == "dumb" || term.starts_with("vt") {
        return Colours::None;
    }
    let direct = ["direct", "kitty", "alacritty", "ghostty", "wezterm", "foot"];
    if matches!(colorterm, Some("truecolor" | "24bit")) || direct.iter().any(|name| term.contains(name)) {
        Colours::True
    } else if term.contains("256color") {
        Colours::Indexed
    } else {
        Colours::Sixteen
    }
}

/// Whether characters beyond ASCII would come out as garbage. Without any locale variable the
/// terminal is taken to know UTF-8: SSH and containers seldom pass the locale on.
fn is_ascii(env: &impl Fn(&str) -> Option<String>) -> bool {
    if matches!(env("TERM").as_deref(), Some("linux" | "dumb")) {
        return true;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| env(name));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(vars: &[(&str, &str)]) -> Look {
        with(&Settings::default(), vars)
    }

    fn with(settings: &Settings, vars: &[(&str, &str)]) -> Look {
        let env = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        look_by(false, false, settings, env)
    }

    #[test]
    fn colours_by_term() {
        assert_eq!(of(&[("TERM", "xterm-256color")]).colours, Colours::Indexed);
        assert_eq!(of(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]).colours, Colours::True);
        assert_eq!(of(&[("TERM", "xterm-kitty")]).colours, Colours::True);
        assert_eq!(of(&[("TERM", "xterm")]).colours, Colours::Sixteen);
        assert_eq!(of(&[]).colours, Colours::Sixteen);
        assert_eq!(of(&[("TERM", "dumb"), ("COLORTERM", "truecolor")]).colours, Colours::None);
        assert_eq!(of(&[("TERM", "xterm"), ("NO_COLOR", "1")]).colours, Colours::None);
        assert_eq!(of(&[("TERM", "xterm"), ("NO_COLOR", "")]).colours, Colours::Sixteen);
    }

    #[test]
    fn flags_win_over_settings_over_environment() {
        let settings = Settings {
            colour: ColourChoice::Exactly(Colours::Indexed),
            ascii: Some(false),
            ..Settings::default()
        };
        let look = with(&settings, &[("NO_COLOR", "1"), ("LANG", "C")]);
        assert_eq!(look, Look { colours: Colours::Indexed, ascii: false });
        let look = look_by(true, true, &settings, |_| None);
        assert_eq!(look, Look { colours: Colours::None, ascii: true });
    }

    #[test]
    fn characters_by_locale() {
        assert!(!of(&[]).ascii);
        assert!(!of(&[("LANG", "de_DE.UTF-8")]).ascii);
        assert!(!of(&[("LANG", "C.utf8")]).ascii);
        assert!(of(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]).ascii);
        assert!(of(&[("LC_ALL", ""), ("LANG", "POSIX")]).ascii);
        assert!(of(&[("LANG", "en_US.UTF-8"), ("TERM", "linux")]).ascii);
    }
}
