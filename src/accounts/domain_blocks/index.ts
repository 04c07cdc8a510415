export { addDomainBlock, removeDomainBlock } from './block.ts'
export { normaliseDomain } from './domain.ts'
