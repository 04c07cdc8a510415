/** Collections: accounts that somebody recommends together. */
export { collectionIdIn } from './address.ts'
export { readCollection } from './read.ts'
export { renderCollection, renderCollections } from './render.ts'
