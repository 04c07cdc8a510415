/** Networks that are blocked entirely, or from signing up. */
export { addIpBlock, isNetwork, removeIpBlock } from './change.ts'
export { isSeverity, listIpBlocks, openIpBlocks } from './ip_blocks.ts'
