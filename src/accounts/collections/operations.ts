import type { AnyOperation } from '../../platform/http/index.ts'
import { addItem, removeItem, revokeItem } from './items.ts'
import { listFeaturing, listOfAccount, showCollection } from './read.ts'
import { changeCollection, createCollection, removeCollection } from './write.ts'

const current: readonly AnyOperation[] = [
  createCollection,
  showCollection,
  listOfAccount,
  changeCollection,
  removeCollection,
  addItem,
  removeItem,
  revokeItem,
]

/** As it was called before the release of 4.6. */
const alphaOf = (one: AnyOperation): AnyOperation => ({
  ...one,
  path: [one.path].flat().map(path => path.replace('/api/v1/', '/api/v1_alpha/')),
})
const DEPRECATED = { Deprecation: '@1781049600' }

/** Collections: accounts that somebody recommends together. Each under its earlier path too; of these one is not deprecated. */
export const operations: readonly AnyOperation[] = [
  ...current,
  ...current.map(one => ({ ...alphaOf(one), headers: DEPRECATED })),
  listFeaturing,
  alphaOf(listFeaturing),
]
