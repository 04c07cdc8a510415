/** Names that nobody may sign up with, or only with approval. */
export {
  blockUsername,
  judgeUsername,
  listUsernameBlocks,
  unblockUsername,
  type NameJudgement,
  type UsernameBlock,
} from './blocks.ts'
