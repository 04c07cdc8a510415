import { fetchParent } from './parent.ts'
import { forgetTombstones } from './tombstones.ts'

export const jobs = [fetchParent, forgetTombstones]
