export { normaliseDomain } from './domain.ts'
