import { jobs as sending } from './send.ts'
import { testJobs } from './start.ts'

/** Background jobs of this folder. */
export const jobs = [...sending, ...testJobs]
