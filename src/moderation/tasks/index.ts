/** Long work that the staff starts, in the background and with its progress. */
export { followAll, unfollowAll } from './follows.ts'
export { resetRelationships, startReset } from './reset.ts'
export { listTasks, startTask, type StoredTask } from './task.ts'
