/** List the usernames that may not sign up, or only with approval. */
export {
  BLOCKED_USERNAME,
  blockUsername,
  changeUsernameBlock,
  checkUsernameBlocks,
  listUsernameBlocks,
  removeUsernameBlocks,
  unblockUsername,
  type UsernameBlock,
} from './blocks.ts'
