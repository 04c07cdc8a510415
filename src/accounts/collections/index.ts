/** Collections of accounts that an account recommends. */
export { collectionIdIn } from './address.ts'
export { MAX_ITEMS } from './fields.ts'
export { deleteItem } from './items.ts'
export { lockMembers, lockOwn } from './own.ts'
export { readCollection } from './read.ts'
export { renderCollection, renderCollections } from './render.ts'
export { deleteCollection } from './write.ts'
