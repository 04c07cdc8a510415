/** Pages of the staff's long work. */
export { TASKS } from './path.ts'
