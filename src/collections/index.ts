/** Collections: accounts that somebody recommends together. */
export { collectionIdIn } from './address.ts'
export { renderCollection, renderCollections } from './render.ts'
