export { quotesOf, type SeenQuote, shownOf } from './states.ts'
export { storeQuote } from './store.ts'
