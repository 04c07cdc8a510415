import { receiveLane } from './lane.ts'
import { receive } from './process.ts'

export const jobs = [receive, receiveLane]
