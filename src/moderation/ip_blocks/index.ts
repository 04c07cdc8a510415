/** Networks that are blocked entirely, or from signing up. */
export { addIpBlock, createIpBlock, removeIpBlock, removeIpBlocksOf, updateIpBlock } from './change.ts'
export { findIpBlock, findIpBlocks, type IpBlock } from './find.ts'
export { isSeverity, listIpBlocks, openIpBlocks } from './ip_blocks.ts'
export { parseNetwork } from './network.ts'
