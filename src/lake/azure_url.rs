//! `https://` addresses of Azure storage, as portals and OneLake show them, in the form that the
//! stores take: `abfss://container@host/path`.
//!
//! Source: Microsoft's docs, "Introduction to the Azure Blob Filesystem driver" (URI syntax) and
//! "Connecting to Microsoft OneLake" (`https://onelake.dfs.fabric.microsoft.com/<workspace>/<item>/…`).

use url::Url;

/// Hosts, by their ends, that serve containers as the first part of the path.
const HOSTS: [&str; 4] = [
    ".dfs.core.windows.net",
    ".blob.core.windows.net",
    ".dfs.fabric.microsoft.com",
    ".blob.fabric.microsoft.com",
];

/// The same place as an `abfss://` URL; none if the URL is not an address of Azure storage, or
/// names no container. A query, such as a shared access signature, is not carried over: it belongs
/// into the storage options.
pub(super) fn as_abfss(url: &Url) -> Option<Url> {
    let host = url.host_str().filter(|_| url.scheme() == "https")?;
    HOSTS.iter().find(|end| host.ends_with(**end))?;
    let host = host.replacen(".blob.", ".dfs.", 1);
    let mut parts = url.path_segments()?;
    let container = parts.next().filter(|c| !c.is_empty())?;
    let path: Vec<&str> = parts.collect();
    Url::parse(&format!("abfss://{container}@{host}/{}", path.join("/"))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(url: &str) -> Option<String> {
        as_abfss(&Url::parse(url).unwrap()).map(Into::into)
    }

    #[test]
    fn portals_addresses() {
        let cases = [
            (
                "https://onelake.dfs.fabric.microsoft.com/11aa-22/33bb-44/Tables/dbo/my%20table/",
                "abfss://11aa-22@onelake.dfs.fabric.microsoft.com/33bb-44/Tables/dbo/my%20table/",
            ),
            (
                "https://onelake.blob.fabric.microsoft.com/ws/item/Tables/x",
                "abfss://ws@onelake.dfs.fabric.microsoft.com/item/Tables/x",
            ),
            (
                "https://account.blob.core.windows.net/data/t?sv=2024&sig=secret",
                "abfss://data@account.dfs.core.windows.net/t",
            ),
            ("https://account.dfs.core.windows.net/data", "abfss://data@account.dfs.core.windows.net/"),
        ];
        for (from, to) in cases {
            assert_eq!(translated(from).as_deref(), Some(to));
        }
        for other in [
            "https://example.org/a/b",
            "https://account.dfs.core.windows.net/",
            "http://account.dfs.core.windows.net/data/t",
            "https://dfs.core.windows.net.example.org/data/t",
            "abfss://data@account.dfs.core.windows.net/t",
        ] {
            assert_eq!(translated(other), None, "{other}");
        }
    }
}
