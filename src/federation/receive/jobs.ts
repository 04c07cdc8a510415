import { fetchFeatured } from './fetch_featured.ts'
import { fetchParent } from './parent.ts'
import { removeTombstones } from './tombstones.ts'

export const jobs = [fetchFeatured, fetchParent, removeTombstones]
