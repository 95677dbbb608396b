//! The engine's way to the session's tables.

use std::sync::Arc;

use async_trait::async_trait;
use datafusion::catalog::{CatalogProvider, CatalogProviderList, SchemaProvider, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::TableType;

use super::engine::CATALOG;
use super::lakehouse::Lakehouse;

/// The engine's view of a [`Lakehouse`]: any catalog and schema name leads to it.
#[derive(Debug)]
pub(super) struct Catalogs(pub(super) Arc<Lakehouse>);

impl CatalogProviderList for Catalogs {
    fn register_catalog(&self, _: String, _: Arc<dyn CatalogProvider>) -> Option<Arc<dyn CatalogProvider>> {
        None
    }

    fn catalog_names(&self) -> Vec<String> {
        vec![CATALOG.into()]
    }

    fn catalog(&self, _name: &str) -> Option<Arc<dyn CatalogProvider>> {
        Some(Arc::new(Catalog(Arc::clone(&self.0))))
    }
}

#[derive(Debug)]
struct Catalog(Arc<Lakehouse>);

impl CatalogProvider for Catalog {
    fn schema_names(&self) -> Vec<String> {
        self.0.schemas()
    }

    fn schema(&self, name: &str) -> Option<Arc<dyn SchemaProvider>> {
        Some(Arc::new(SchemaTables { lakehouse: Arc::clone(&self.0), schema: name.to_owned() }))
    }
}

#[derive(Debug)]
struct SchemaTables {
    lakehouse: Arc<Lakehouse>,
    schema: String,
}

#[async_trait]
impl SchemaProvider for SchemaTables {
    fn table_names(&self) -> Vec<String> {
        self.lakehouse.entries(&self.schema).filter_map(|e| e.names.first().cloned()).collect()
    }

    async fn table(&self, name: &str) -> Result<Option<Arc<dyn TableProvider>>> {
        let found = self.lakehouse.table(&self.schema, name).await;
        let found = found.map_err(|fault| DataFusionError::External(Box::new(fault)))?;
        Ok(found.map(|t| t as Arc<dyn TableProvider>))
    }

    /// Known without loading the table, so that a list of tables reads none.
    async fn table_type(&self, name: &str) -> Result<Option<TableType>> {
        let found = self.lakehouse.find(&self.schema, name);
        let found = found.map_err(|fault| DataFusionError::External(Box::new(fault)))?;
        Ok(found.map(|_| TableType::Base))
    }

    fn table_exist(&self, name: &str) -> bool {
        matches!(self.lakehouse.find(&self.schema, name), Ok(Some(_)))
    }
}
