import { receive, receiveLane } from './process.ts'

export const jobs = [receive, receiveLane]
