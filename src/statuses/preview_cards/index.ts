/** Preview cards of pages that statuses link to. */
export { firstLink, normaliseUrl } from './first_link.ts'
export { cardsOf, namesAccount, type Card } from './render.ts'
