import { receiveLane } from './lane.ts'
import { retryActivity } from './process.ts'

export const jobs = [retryActivity, receiveLane]
