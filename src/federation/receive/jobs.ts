import { fetchParent } from './parent.ts'
import { removeTombstones } from './tombstones.ts'

export const jobs = [fetchParent, removeTombstones]
