/**
 * Settings of the embedded server, for a small machine (1 GB and up) with a solid-state disk. Those that are not here,
 * `fsync`, `full_page_writes` and `synchronous_commit` above all, keep PostgreSQL's own values: an acknowledged write
 * survives a power cut.
 */
export const settings: Readonly<Record<string, string>> = {
  // The kernel's cache does the rest; more would take memory from the server process on the same machine.
  shared_buffers: '128MB',
  // Only tells the planner what the kernel is likely to hold. Fixed, so that plans are the same on every machine.
  effective_cache_size: '1GB',
  // The pools of several server processes, LISTEN connections, jobs, ctl. An idle one costs some 2 MB.
  max_connections: '200',
  // A page at random costs about as much as the next one on an SSD; the default of 4 scares the planner off indexes.
  random_page_cost: '1.1',
  // Reads asked for ahead; SSDs answer many at once.
  effective_io_concurrency: '32',
  // Compiling takes longer than any of our queries runs.
  jit: 'off',
  // Short queries, few cores; and containers give /dev/shm 64 MB, which parallel hash joins can exceed.
  max_parallel_workers_per_gather: '0',
  // Fewer checkpoints: each makes the next change of every page be logged whole. Recovery reads 1 GB at most.
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  // Those whole pages compress well, and disks are slower than cores.
  wal_compression: 'on',
  // Feeds, notifications and the event log change all the time: little and often rather than a fifth of a table at once.
  autovacuum_naptime: '20s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_insert_scale_factor: '0.1',
  autovacuum_analyze_scale_factor: '0.05',
  // A forgotten open transaction would hold back the event log for everybody, and vacuum too.
  idle_in_transaction_session_timeout: '60s',
  // Which statements take the time; costs about a hundredth.
  shared_preload_libraries: 'pg_stat_statements',
  track_io_timing: 'on',
  // Days and hours in SQL are the same on every machine.
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log is read when something is wrong; a checkpoint every quarter of an hour is not.
  log_checkpoints: 'off',
}
