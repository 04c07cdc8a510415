import { forgetTombstones } from './tombstones.ts'

export const jobs = [forgetTombstones]
