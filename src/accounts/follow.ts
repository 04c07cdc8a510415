import { c, query, type Database, type Runner } from '../platform/database/index.ts'
import { ApiError, validationError } from '../core/errors.ts'
import type { Config } from '../core/config.ts'
import { operation, param } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import { findLanguage } from '../core/languages/index.ts'
import type { Services } from '../platform/services.ts'
import { changeOperation } from './change_operation.ts'
import { findAccount } from './find_account.ts'
import { changePair, renderRelationship } from './relationship.ts'

const followAccount = query(
  'accounts/follow',
  {
    viewer: c.id,
    target: c.id,
    reblogs: c.nullable(c.boolean),
    notify: c.nullable(c.boolean),
    languages: c.nullable(c.texts),
    sets_languages: c.boolean,
    may_begin: c.boolean,
    threshold: c.integer,
    ratio: c.float,
  },
  { outcome: c.text, maximum: c.integer, events: c.events },
)

const unfollowAccount = query('accounts/unfollow', { viewer: c.id, target: c.id }, { events: c.events })
const remove = query(
  'accounts/remove_follower',
  { viewer: c.id, follower: c.id, asked: c.boolean },
  { id: c.id, events: c.events },
)

const findAllowed = query('accounts/allowed_domain', { domain: c.text }, { domain: c.text })

/**
 * Whether accounts of a domain (null: local) may be followed: in limited federation mode only
 * allowed domains.
 */
async function isReachable({ settings, database }: Services, domain: string | null): Promise<boolean> {
  if (domain === null || !settings.get('limited_federation_mode')) return true
  return (await database.one(findAllowed, { domain })) !== undefined
}

export interface FollowOptions {
  /** Undefined: unchanged, or true for a new follow. */
  reblogs?: boolean | undefined
  notify?: boolean | undefined
  /** Null: all languages. */
  languages?: readonly string[] | null | undefined
}

/** How many accounts one may follow, and for more how many times the number of followers. */
type FollowLimits = Pick<Config, 'followThreshold' | 'followRatio'>

/**
 * Follows an account, or requests to. Call it in `changePair`.
 * @param exhausted thrown instead of creating a follow; an existing one may still be changed
 * @returns whether a follow or request was created
 * @throws ApiError notFound, notAllowed for a block or a moved account, validation for too many
 * follows
 */
export async function follow(
  transaction: Runner,
  { followThreshold, followRatio }: FollowLimits,
  follower: Id,
  target: Id,
  options: FollowOptions = {},
  exhausted?: ApiError,
): Promise<boolean> {
  const { reblogs, notify, languages } = options
  const row = await transaction.one(followAccount, {
    viewer: follower,
    target,
    reblogs: reblogs ?? null,
    notify: notify ?? null,
    languages: languages && languages.length > 0 ? [...languages] : null,
    sets_languages: languages !== undefined,
    may_begin: exhausted === undefined,
    threshold: followThreshold,
    ratio: followRatio,
  })
  if (!row) throw new ApiError('notFound')
  if (row.outcome === 'refused') throw new ApiError('notAllowed')
  if (row.outcome === 'limited') throw validationError(`You cannot follow more than ${row.maximum} people`)
  if (row.outcome === 'exhausted' && exhausted) throw exhausted
  return row.outcome !== 'changed'
}

/**
 * Ends a follower's follow of an account, or refuses the request. Call it in `changePair`, or after
 * `lockPair`.
 */
export async function removeFollower(transaction: Runner, account: Id, follower: Id): Promise<void> {
  for (const asked of [false, true]) await transaction.run(remove, { viewer: account, follower, asked })
}

/**
 * Ends a follow or a request. Call it in `changePair`, or after `lockPair`.
 * @returns whether there was one
 */
export async function endFollow(transaction: Runner, follower: Id, followed: Id): Promise<boolean> {
  const ended = await transaction.one(unfollowAccount, { viewer: follower, target: followed })
  return ended?.events !== null
}

/** Ends a follow or a request. */
export async function unfollow(database: Database, follower: Id, followed: Id): Promise<void> {
  await changePair(database, follower, followed, async transaction => {
    await endFollow(transaction, follower, followed)
  })
}

const followOperation = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/follow',
  auth: 'user',
  scopes: ['follow', 'write:follows'],
  budget: 'follows',
  manualBudget: true,
  params: {
    id: param.id(),
    reblogs: param.boolean({ optional: true }),
    notify: param.boolean({ optional: true }),
    languages: param.strings({ optional: true, nullable: true }),
  },
  returns: 'Relationship',
  summary: 'Follow an account, or change the options of the follow',
  async handle({ id, ...options }, context) {
    const { viewer, database, budget } = context
    const { domain } = await findAccount(context, viewer, id)
    if (id === viewer.id) throw new ApiError('notAllowed', { message: 'Following your own account is not allowed' })
    if (!(await isReachable(context, domain))) throw new ApiError('notAllowed')
    const languages = options.languages && knownLanguages(options.languages)
    const exhausted = await budget.exhausted()
    const begun = await changePair(database, viewer.id, id, transaction =>
      follow(transaction, context.config, viewer.id, id, { ...options, languages }, exhausted),
    )
    if (begun) await budget.spend()
    return renderRelationship(context, viewer, id)
  },
})

const unfollowOperation = changeOperation(
  ['unfollow'],
  ['follow', 'write:follows'],
  'Unfollow an account, or withdraw the request',
  ({ database, viewer }, target) => unfollow(database, viewer.id, target),
)

const removeFromFollowers = changeOperation(
  ['remove_from_followers'],
  ['follow', 'write:follows'],
  "Remove an account from the caller's followers",
  ({ database, viewer }, follower) =>
    changePair(database, viewer.id, follower, transaction =>
      transaction.run(remove, { viewer: viewer.id, follower, asked: false }),
    ),
)

const rejectRequest = operation({
  method: 'POST',
  path: '/api/v1/follow_requests/:account_id/reject',
  auth: 'user',
  scopes: ['follow', 'write:follows'],
  params: { account_id: param.id() },
  returns: 'Relationship',
  summary: 'Reject a request to follow the caller',
  async handle({ account_id: id }, context) {
    const { viewer, database } = context
    const removed = await changePair(database, viewer.id, id, transaction =>
      transaction.run(remove, { viewer: viewer.id, follower: id, asked: true }),
    )
    if (removed.length === 0) throw new ApiError('notFound')
    return renderRelationship(context, viewer, id)
  },
})

/**
 * The codes of languages that statuses may have, each once.
 * @throws ApiError validation for an unknown language
 */
function knownLanguages(tags: readonly string[]): string[] {
  const codes = tags.map(tag => {
    const code = findLanguage(tag)
    if (code === undefined) throw validationError('Languages is invalid')
    return code
  })
  return [...new Set(codes)]
}

export const operations = [followOperation, unfollowOperation, removeFromFollowers, rejectRequest]
