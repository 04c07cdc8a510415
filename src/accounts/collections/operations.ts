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

/** The path before the release of 4.6. */
const alphaOf = (one: AnyOperation): AnyOperation => ({
  ...one,
  path: [one.path].flat().map(path => path.replace('/api/v1/', '/api/v1_alpha/')),
})
const DEPRECATED = { Deprecation: '@1781049600' }

/** Collections. Each operation also has its earlier path, which is deprecated except for one. */
export const operations: readonly AnyOperation[] = [
  ...current,
  ...current.map(one => ({ ...alphaOf(one), headers: DEPRECATED })),
  listFeaturing,
  alphaOf(listFeaturing),
]
