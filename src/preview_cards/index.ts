/** Previews of pages that statuses link to. */
export { cardsOf, renderCards, type Card } from './render.ts'
