//! Everything of the state but files: protocol, metadata, transactions, domains.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::action::{DomainAction, MetadataAction, ProtocolAction, StateLine, TxnAction};
use super::lines;
use super::loose::Text;
use super::segment::TailFile;
use super::tail::bad_commit;
use crate::model::schema::parse_schema;
use crate::model::table::{AppTxn, Domain, Metadata, Protocol};
use crate::model::{Fault, Outcome};

/// Lines that hold nothing of this.
const SKIP: [&str; 4] = ["{\"add\"", "{\"remove\"", "{\"commitInfo\"", "{\"cdc\""];

/// What was met so far, newest first: the first word counts.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub protocol: Option<Protocol>,
    pub metadata: Option<Metadata>,
    txns: BTreeMap<String, AppTxn>,
    /// None where the domain was removed.
    domains: BTreeMap<String, Option<Domain>>,
}

impl State {
    /// The state that one file describes.
    pub fn parse(file: &TailFile, bytes: &[u8]) -> Outcome<State> {
        let (lines, bad) = lines::parse::<StateLine<'_>>(bytes, &SKIP);
        if let Some(bad) = bad {
            return Err(bad_commit(&file.name, &bad));
        }
        let mut state = State::default();
        for line in lines.into_iter().rev() {
            state.line(line);
        }
        Ok(state)
    }

    fn line(&mut self, line: StateLine<'_>) {
        if let Some(action) = line.protocol {
            self.protocol.get_or_insert_with(|| protocol(action));
        }
        if let Some(action) = line.meta_data {
            self.metadata.get_or_insert_with(|| metadata(action));
        }
        if let Some(txn) = line.txn.and_then(txn) {
            self.txns.entry(txn.app_id.clone()).or_insert(txn);
        }
        if let Some((name, domain)) = line.domain_metadata.and_then(domain) {
            self.domains.entry(name).or_insert(domain);
        }
    }

    /// Goes on with what is older.
    pub fn or_older(mut self, older: State) -> State {
        self.protocol = self.protocol.or(older.protocol);
        self.metadata = self.metadata.or(older.metadata);
        for (id, txn) in older.txns {
            self.txns.entry(id).or_insert(txn);
        }
        for (name, domain) in older.domains {
            self.domains.entry(name).or_insert(domain);
        }
        self
    }

    /// Faults: `no-protocol`, `no-metadata`.
    pub fn finish(self) -> Outcome<(Protocol, Metadata, Vec<AppTxn>, Vec<Domain>)> {
        let missing = |code, action: &str| {
            Fault::read(code, format!("The log has no {action} action"))
                .because("every Delta table must have one (protocol, \"Actions\"); the log is damaged")
                .hint("An earlier version may still open: add `--as-of` with its number")
        };
        let protocol = self.protocol.ok_or_else(|| missing("no-protocol", "protocol"))?;
        let metadata = self.metadata.ok_or_else(|| missing("no-metadata", "metaData"))?;
        let domains = self.domains.into_values().flatten().collect();
        Ok((protocol, metadata, self.txns.into_values().collect(), domains))
    }
}

fn text(text: Text<'_>) -> Option<String> {
    text.0.map(Cow::into_owned)
}

fn protocol(action: ProtocolAction) -> Protocol {
    let version = |n: super::loose::Int| n.natural().and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    Protocol {
        min_reader: version(action.min_reader_version),
        min_writer: version(action.min_writer_version),
        reader_features: action.reader_features,
        writer_features: action.writer_features,
    }
}

fn metadata(action: MetadataAction<'_>) -> Metadata {
    let (schema, schema_problem) = match action.schema_string.0.as_deref().map(parse_schema) {
        Some(Ok(schema)) => (schema, None),
        Some(Err(why)) => (Vec::new(), Some(why)),
        None => (Vec::new(), Some("metaData has no schemaString".into())),
    };
    let configuration = action.configuration.0.into_iter();
    Metadata {
        id: text(action.id).unwrap_or_default(),
        name: text(action.name),
        description: text(action.description),
        provider: action.format.and_then(|f| text(f.provider)).unwrap_or_default(),
        schema,
        schema_problem,
        partition_columns: action.partition_columns.unwrap_or_default(),
        configuration: configuration.filter_map(|(k, v)| Some((k.into_owned(), text(v)?))).collect(),
        created: action.created_time.value(),
    }
}

fn txn(action: TxnAction<'_>) -> Option<AppTxn> {
    Some(AppTxn {
        app_id: text(action.app_id)?,
        version: action.version.value()?,
        last_updated: action.last_updated.value(),
    })
}

fn domain(action: DomainAction<'_>) -> Option<(String, Option<Domain>)> {
    let domain = text(action.domain)?;
    let configuration = text(action.configuration).unwrap_or_default();
    let removed = action.removed.0 == Some(true);
    Some((domain.clone(), (!removed).then_some(Domain { domain, configuration })))
}
