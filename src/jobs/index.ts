export { enqueue, type EnqueueOptions } from './enqueue.ts'
export { job, type Job, type JobKind, type JobOptions, type JobRun } from './job.ts'
export { migrateJobs, openJobs, type Jobs, type JobsOptions, type JobStatistics, type StartableJobs } from './jobs.ts'
export type { JobLogger } from './log.ts'
