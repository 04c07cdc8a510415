import { c, query, violatedConstraint, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'

const findMatch = query(
  'moderation/username_blocks/check',
  { username: c.text },
  { reserved: c.boolean, needs_approval: c.boolean },
)
const block = { username: c.text, exact: c.boolean, allow_with_approval: c.boolean } as const
const moderator = { moderator: c.nullable(c.id) } as const
const all = query('moderation/username_blocks/all', {}, { id: c.id, ...block })
const add = query('moderation/username_blocks/add', { ...moderator, ...block }, { id: c.id })
const change = query('moderation/username_blocks/change', { ...moderator, id: c.id, ...block }, { id: c.id })
const remove = query('moderation/username_blocks/remove', { ...moderator, username: c.text }, { id: c.id })
const removeAll = query('moderation/username_blocks/remove_all', { ...moderator, ids: c.ids }, { id: c.id })

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

/** The form of a blocked name. */
export const BLOCKED_USERNAME = /^\w{1,30}$/

/** All blocked names. */
export const listUsernameBlocks = (runner: Runner): Promise<(UsernameBlock & { readonly id: Id })[]> =>
  runner.run(all, {})

/**
 * Blocks a name; returns whether it was not blocked before.
 * @param moderator null for the operator
 */
export const blockUsername = async (runner: Runner, moderator: Id | null, block: UsernameBlock): Promise<boolean> =>
  (await runner.one(add, { moderator, ...block })) !== undefined

/**
 * Changes a block.
 * @throws ApiError notFound; validation when another block has the name
 */
export async function changeUsernameBlock(
  runner: Runner,
  moderator: Id | null,
  id: Id,
  block: UsernameBlock,
): Promise<void> {
  try {
    if (!(await runner.one(change, { moderator, id, ...block }))) throw new ApiError('notFound')
  } catch (error) {
    if (violatedConstraint(error) !== 'username_blocks_skeleton_key') throw error
    throw validationError('Username has already been taken')
  }
}

/** Unblocks a name; returns whether it was blocked. */
export const unblockUsername = async (runner: Runner, moderator: Id | null, username: string): Promise<boolean> =>
  (await runner.one(remove, { moderator, username })) !== undefined

/** Removes blocks; returns the number of those that existed. */
export const removeUsernameBlocks = async (runner: Runner, moderator: Id | null, ids: readonly Id[]): Promise<number> =>
  (await runner.run(removeAll, { moderator, ids: [...ids] })).length
