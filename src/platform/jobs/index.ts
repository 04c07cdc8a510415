export { enqueue } from './enqueue.ts'
export { countJobs, JOB_STATES, listJobs, listQueues, removeJobs, retryJobs, withoutSecrets } from './inspect.ts'
export { job, type Job, type JobKind, type JobRun } from './job.ts'
export { migrateJobs, openJobs, type Jobs } from './jobs.ts'

export { idIn, memberOf } from './payload.ts'
export { backOffMs } from './worker.ts'
