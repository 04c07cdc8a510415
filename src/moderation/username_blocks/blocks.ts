import { c, query, type Runner } from '../../platform/database/index.ts'

const findMatch = query(
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

/** The result of checking a name against the blocks. */
export interface UsernameMatch {
  /** It may not sign up. */
  readonly reserved: boolean
  /** Its sign-up needs approval. */
  readonly needsApproval: boolean
}

/** A name, or a part of names, that new users may not have. */
export interface UsernameBlock {
  readonly username: string
  /** False: matches names that contain it. */
  readonly exact: boolean
  readonly allow_with_approval: boolean
}

/**
 * Checks a name against the blocks, ignoring case and reading digits as the letters that they
 * resemble.
 */
export async function checkUsernameBlocks(runner: Runner, username: string): Promise<UsernameMatch> {
  const match = await runner.one(findMatch, { username })
  return { reserved: match?.reserved === true, needsApproval: match?.needs_approval === true }
}

/** All blocked names. */
export const listUsernameBlocks = (runner: Runner): Promise<UsernameBlock[]> => runner.run(all, {})

/** Blocks a name; returns whether it was not blocked before. */
export const blockUsername = async (runner: Runner, block: UsernameBlock): Promise<boolean> =>
  (await runner.one(add, { ...block })) !== undefined

/** Unblocks a name; returns whether it was blocked. */
export const unblockUsername = async (runner: Runner, username: string): Promise<boolean> =>
  (await runner.one(remove, { username })) !== undefined
