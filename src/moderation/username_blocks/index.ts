/** Usernames that may not sign up, or only with approval. */
export {
  blockUsername,
  judgeUsername,
  listUsernameBlocks,
  unblockUsername,
  type NameJudgement,
  type UsernameBlock,
} from './blocks.ts'
