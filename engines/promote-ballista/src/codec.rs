//! How functions of rule sets travel in plans.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, Extension, HigherOrderUDF, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr_common::physical_expr::proto_decode::PhysicalExprDecodeCtx;
use datafusion::physical_expr_common::physical_expr::proto_encode::PhysicalExprEncodeCtx;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use promote_datafusion::{decode_function, encode_function};

/// Codecs of plans that know the functions of rule sets. Clients, schedulers and executors need them for the
/// mode `kernels`, and for the few operators that the mode `casts` leaves to functions.
///
/// A function of a bundled rule set travels by its name. One of a rule file travels with the text of the
/// file, which schedulers and executors compile. All else goes to the codecs inside.
///
/// ```
/// use std::sync::Arc;
///
/// use ballista_executor::executor_process::ExecutorProcessConfig;
/// use ballista_scheduler::config::SchedulerConfig;
/// use promote_ballista::Codec;
///
/// let codec = Arc::new(Codec::default());
/// let scheduler = SchedulerConfig {
///     override_logical_codec: Some(codec.clone()),
///     override_physical_codec: Some(codec.clone()),
///     ..SchedulerConfig::default()
/// };
/// let executor = ExecutorProcessConfig {
///     override_logical_codec: Some(codec.clone()),
///     override_physical_codec: Some(codec),
///     ..ExecutorProcessConfig::default()
/// };
/// ```
#[derive(Clone, Debug)]
pub struct Codec {
    logical: Arc<dyn LogicalExtensionCodec>,
    physical: Arc<dyn PhysicalExtensionCodec>,
}

impl Codec {
    /// Creates codecs that ask others for all that is not of a rule set.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
    /// use promote_ballista::Codec;
    ///
    /// let codec = Codec::new(
    ///     Arc::new(BallistaLogicalExtensionCodec::default()),
    ///     Arc::new(BallistaPhysicalExtensionCodec::default()),
    /// );
    /// # let _ = codec;
    /// ```
    pub fn new(logical: Arc<dyn LogicalExtensionCodec>, physical: Arc<dyn PhysicalExtensionCodec>) -> Codec {
        Codec { logical, physical }
    }
}

/// Creates codecs that ask those of Ballista.
impl Default for Codec {
    fn default() -> Codec {
        Codec::new(
            Arc::new(BallistaLogicalExtensionCodec::default()),
            Arc::new(BallistaPhysicalExtensionCodec::default()),
        )
    }
}

/// Encodes a function, if it is of a rule set. `other` encodes all other ones.
fn encode(
    function: &ScalarUDF,
    buf: &mut Vec<u8>,
    other: impl FnOnce(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    match encode_function(function) {
        Some(bytes) => {
            buf.extend(bytes);
            Ok(())
        }
        None => other(buf),
    }
}

/// Decodes a function. `other` decodes those that are not of a rule set.
fn decode(name: &str, buf: &[u8], other: impl FnOnce() -> Result<Arc<ScalarUDF>>) -> Result<Arc<ScalarUDF>> {
    if !name.starts_with("promote_") {
        return other();
    }
    // Users may have functions with such names as well.
    decode_function(name, buf).map(Arc::new).or_else(|error| other().map_err(|_| error))
}

impl LogicalExtensionCodec for Codec {
    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        decode(name, buf, || self.logical.try_decode_udf(name, buf))
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        encode(node, buf, |buf| self.logical.try_encode_udf(node, buf))
    }

    fn try_decode(&self, buf: &[u8], inputs: &[LogicalPlan], ctx: &TaskContext) -> Result<Extension> {
        self.logical.try_decode(buf, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        self.logical.try_encode(node, buf)
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table_ref: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.logical.try_decode_table_provider(buf, table_ref, schema, ctx)
    }

    fn try_encode_table_provider(
        &self,
        table_ref: &TableReference,
        node: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        self.logical.try_encode_table_provider(table_ref, node, buf)
    }

    fn try_decode_file_format(&self, buf: &[u8], ctx: &TaskContext) -> Result<Arc<dyn FileFormatFactory>> {
        self.logical.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(&self, buf: &mut Vec<u8>, node: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.logical.try_encode_file_format(buf, node)
    }

    fn try_decode_higher_order_function(&self, name: &str, buf: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        self.logical.try_decode_higher_order_function(name, buf)
    }

    fn try_encode_higher_order_function(&self, node: &HigherOrderUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.logical.try_encode_higher_order_function(node, buf)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.logical.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.logical.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.logical.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.logical.try_encode_udwf(node, buf)
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        decode(name, buf, || self.physical.try_decode_udf(name, buf))
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        encode(node, buf, |buf| self.physical.try_encode_udf(node, buf))
    }

    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.physical.try_decode(buf, inputs, ctx, proto_converter)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        proto_converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.physical.try_encode(node, buf, proto_converter)
    }

    fn try_decode_expr(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn PhysicalExpr>],
        ctx: &PhysicalExprDecodeCtx<'_>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        self.physical.try_decode_expr(buf, inputs, ctx)
    }

    fn try_encode_expr(
        &self,
        node: &Arc<dyn PhysicalExpr>,
        buf: &mut Vec<u8>,
        ctx: &PhysicalExprEncodeCtx<'_>,
    ) -> Result<()> {
        self.physical.try_encode_expr(node, buf, ctx)
    }

    fn try_decode_higher_order_function(&self, name: &str, buf: &[u8]) -> Result<Arc<HigherOrderUDF>> {
        self.physical.try_decode_higher_order_function(name, buf)
    }

    fn try_encode_higher_order_function(&self, node: &HigherOrderUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.physical.try_encode_higher_order_function(node, buf)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.physical.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.physical.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.physical.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.physical.try_encode_udwf(node, buf)
    }
}
