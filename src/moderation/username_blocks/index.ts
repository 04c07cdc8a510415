/** Usernames that may not sign up, or only with approval. */
export { blockUsername, checkUsernameBlocks, listUsernameBlocks, unblockUsername } from './blocks.ts'
