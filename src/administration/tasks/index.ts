/** Pages of the staff's long work. */
export { TASKS_PATH } from './path.ts'
