/** Pages of long-running background tasks. */
export { TASKS_PATH } from './path.ts'
