/** Usernames that may not sign up, or only with approval. */
export { blockUsername, judgeUsername, listUsernameBlocks, unblockUsername } from './blocks.ts'
