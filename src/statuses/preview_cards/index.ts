/** Previews of pages that statuses link to. */
export { linkIn, normaliseUrl } from './link.ts'
export { cardsOf, namesAccount, renderCards, type Card } from './render.ts'
