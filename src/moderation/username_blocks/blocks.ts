import { c, query, type Runner } from '../../platform/database/index.ts'

const judge = query(
  'moderation/username_blocks/judge',
  { username: c.text },
  { reserved: c.boolean, needs_approval: c.boolean },
)
const all = query(
  'moderation/username_blocks/all',
  {},
  { username: c.text, exact: c.boolean, allow_with_approval: c.boolean },
)
const add = query(
  'moderation/username_blocks/add',
  { username: c.text, exact: c.boolean, allow_with_approval: c.boolean },
  { id: c.id },
)
const remove = query('moderation/username_blocks/remove', { username: c.text }, { id: c.id })

/** What the blocks say of a name. */
export interface NameJudgement {
  /** Nobody may sign up with it. */
  readonly reserved: boolean
  /** Who signs up with it needs approval. */
  readonly needsApproval: boolean
}

/** A name, or a part of names, that newcomers may not have. */
export interface UsernameBlock {
  readonly username: string
  /** False: names that contain it. */
  readonly exact: boolean
  readonly allow_with_approval: boolean
}

/** Looks a name up among the blocked ones, in any case and with digits read as the letters that they look like. */
export async function judgeUsername(runner: Runner, username: string): Promise<NameJudgement> {
  const judged = await runner.one(judge, { username })
  return { reserved: judged?.reserved === true, needsApproval: judged?.needs_approval === true }
}

/** Every blocked name. */
export const listUsernameBlocks = (runner: Runner): Promise<UsernameBlock[]> => runner.run(all, {})

/** Blocks a name; gives whether it was not blocked before. */
export const blockUsername = async (runner: Runner, block: UsernameBlock): Promise<boolean> =>
  (await runner.one(add, { ...block })) !== undefined

/** No longer blocks a name; gives whether it was blocked. */
export const unblockUsername = async (runner: Runner, username: string): Promise<boolean> =>
  (await runner.one(remove, { username })) !== undefined
