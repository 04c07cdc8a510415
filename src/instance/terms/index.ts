/** The terms of service, by effective date. */
export { hasTerms, terms, termsInForce, termsOf } from './show.ts'
export { addTerms, changeTerms, deleteTerms, listTerms, publishTerms, type StoredTerms } from './write.ts'
