/** Long-running background tasks that the staff starts, with their progress. */
export { countPurgedEmojis, PURGED_EMOJIS, purgeEmojis, type PurgedEmojis } from './emojis.ts'
export { followAll, unfollowAll } from './follows.ts'
export { isCounted, recount } from './recount.ts'
export { resetRelationships, startReset } from './reset.ts'
export {
  enqueueTask,
  listTasks,
  startTask,
  storeTask,
  type FederationTask,
  type ModerationTask,
  type StoredTask,
} from './task.ts'
export { performTask, taskJob, type TaskWork } from './task_job.ts'
