import { runReset } from './reset.ts'
import { runTask } from './run.ts'

/** Background jobs of this folder. */
export const jobs = [runTask, runReset]
