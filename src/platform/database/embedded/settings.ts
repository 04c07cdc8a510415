import { sessionSettings } from '../session_settings.ts'

/**
 * Settings of the embedded server, for a small machine (1 GB and up) with a solid-state disk. All
 * others, above all `fsync`, `full_page_writes` and `synchronous_commit`, have PostgreSQL's
 * defaults: an acknowledged write survives a power failure.
 */
export const settings: Readonly<Record<string, string>> = {
  ...sessionSettings,
  // The kernel's cache does the rest; more would take memory from the server process on the same
  // machine.
  shared_buffers: '128MB',
  // The planner's estimate of the kernel's cache; allocates nothing. Fixed, so that plans are the
  // same on every machine.
  effective_cache_size: '1GB',
  // The pools of several server processes, LISTEN connections, jobs, ctl. An idle one costs about 2
  // MB.
  max_connections: '200',
  // Reads requested in advance; SSDs answer many at once.
  effective_io_concurrency: '32',
  // Fewer checkpoints: after each one, the next change of every page logs the whole page. Recovery
  // reads at most 1 GB.
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  // Whole pages compress well, and disks are slower than cores.
  wal_compression: 'on',
  // Feeds, notifications and the event log change constantly: vacuum little and often rather than a
  // fifth of a table at once.
  autovacuum_naptime: '20s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_insert_scale_factor: '0.1',
  autovacuum_analyze_scale_factor: '0.05',
  // The first shows which statements take the time; costs about 1 %. The second loads after a start
  // what the shared buffers held before it.
  shared_preload_libraries: 'pg_stat_statements,pg_prewarm',
  track_io_timing: 'on',
  log_timezone: 'UTC',
  // The log is read when something is wrong; a checkpoint every 15 minutes is not.
  log_checkpoints: 'off',
}
