//! What the processes of a cluster do.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ballista_core::JobId;
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::{SchedulerConfig, TaskDistributionPolicy};
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use promote_ballista::Codec;

use super::Result;
use super::processes::{EXECUTORS, FOLDER, SCHEDULER_PORT, VCORES};

const HOST: Ipv4Addr = Ipv4Addr::LOCALHOST;

pub(crate) async fn run(role: &str) -> Result<()> {
    let gate = Arc::new(Gate::default());
    thread::spawn({
        let gate = Arc::clone(&gate);
        move || {
            for line in std::io::stdin().lines().map_while(std::result::Result::ok) {
                gate.set(line == "hold");
            }
            // The example has ended.
            std::process::exit(0);
        }
    });
    if role == "scheduler" { scheduler().await } else { executor(gate).await }
}

/// Runs a scheduler on a free port. It does not have rules: plans come to it rewritten.
async fn scheduler() -> Result<()> {
    let listener = tokio::net::TcpListener::bind((HOST, 0)).await?;
    let port = listener.local_addr()?.port();
    let codec = Arc::new(Codec::default());
    let config = SchedulerConfig {
        external_host: HOST.to_string(),
        bind_port: port,
        override_logical_codec: Some(Arc::clone(&codec) as _),
        override_physical_codec: Some(codec),
        // So that both executors get tasks.
        task_distribution: TaskDistributionPolicy::RoundRobin,
        min_ready_executors: std::env::var(EXECUTORS)?.parse()?,
        // Tasks of an executor that is lost are given to others after this time.
        executor_timeout_seconds: 5,
        expire_dead_executor_interval_seconds: 1,
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    println!("port {port}");
    tokio::spawn({
        let scheduler = scheduler.clone();
        async move {
            while !scheduler.is_ready() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            println!("ready");
        }
    });
    Ok(start_grpc_service_with_listener(listener, scheduler).await?)
}

/// Runs an executor.
async fn executor(gate: Arc<Gate>) -> Result<()> {
    let [port, grpc_port] = free_ports()?;
    let codec = Arc::new(Codec::default());
    let config = ExecutorProcessConfig {
        bind_host: HOST.to_string(),
        external_host: Some(HOST.to_string()),
        port,
        grpc_port,
        scheduler_host: HOST.to_string(),
        scheduler_port: std::env::var(SCHEDULER_PORT)?.parse()?,
        vcores: std::env::var(VCORES)?.parse()?,
        work_dir: Some(std::env::var(FOLDER)?),
        executor_heartbeat_interval_seconds: 1,
        override_logical_codec: Some(Arc::clone(&codec) as _),
        override_physical_codec: Some(codec),
        override_execution_engine: Some(Arc::new(Engine { gate, inner: DefaultExecutionEngine::new() })),
        ..ExecutorProcessConfig::default()
    };
    Ok(start_executor_process(Arc::new(config)).await?)
}

/// Returns ports that are free now.
fn free_ports() -> Result<[u16; 2]> {
    let sockets = [TcpListener::bind((HOST, 0))?, TcpListener::bind((HOST, 0))?];
    Ok([sockets[0].local_addr()?.port(), sockets[1].local_addr()?.port()])
}

/// Where tasks wait while the example asks for it.
#[derive(Default)]
struct Gate {
    is_closed: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    fn set(&self, is_closed: bool) {
        *self.is_closed.lock().unwrap_or_else(PoisonError::into_inner) = is_closed;
        self.changed.notify_all();
        if is_closed {
            println!("holds");
        }
    }

    fn pass(&self) {
        let mut is_closed = self.is_closed.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_closed {
            println!("busy");
        }
        while *is_closed {
            is_closed = self.changed.wait(is_closed).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The engine of Ballista, in which tasks pass a gate.
struct Engine {
    gate: Arc<Gate>,
    inner: DefaultExecutionEngine,
}

impl ExecutionEngine for Engine {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        partitions: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> datafusion::error::Result<Arc<dyn QueryStageExecutor>> {
        self.gate.pass();
        self.inner.create_query_stage_exec(job_id, stage_id, task_id, partitions, plan, work_dir, config)
    }
}
