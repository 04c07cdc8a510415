import { c, query } from '../platform/database/index.ts'
import { cursorsOf, Json, list, operation, page, param, type Response, type Request } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Scope } from '../core/scopes.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { AccountFragment } from './fragment.ts'
import { findAccount } from './find_account.ts'
import { renderAccounts } from './render.ts'

const ofAccount = {
  viewer: c.nullable(c.id),
  account: c.id,
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  limit: c.integer,
}
const ofViewer = { viewer: c.id, max_id: c.nullable(c.id), since_id: c.nullable(c.id), limit: c.integer }
const relation = { id: c.id, account_id: c.id }

const findFollowers = query('accounts/followers', ofAccount, relation)
const findFollowing = query('accounts/following', ofAccount, relation)
const findBlocks = query('accounts/blocks', ofViewer, relation)
const findMutes = query('accounts/mutes', ofViewer, { ...relation, expires_at: c.nullable(c.timestamp) })
const findRequests = query('accounts/follow_requests', ofViewer, relation)
const findEndorsements = query(
  'accounts/endorsements',
  { account: c.id, max_id: c.nullable(c.id), since_id: c.nullable(c.id), limit: c.nullable(c.integer) },
  { id: c.id },
)

/** The pagination of lists of accounts, which do not support `min_id`. */
const pagination = { max_id: param.cursor(), since_id: param.cursor(), limit: param.limit(40) }

interface Range {
  max_id: Id | undefined
  since_id: Id | undefined
  limit: number
}

const bounds = ({ max_id, since_id, limit }: Range) => ({ max_id: max_id ?? null, since_id: since_id ?? null, limit })

/**
 * A page of accounts, paginated by the ids of the relations.
 * @param toItem makes the entity of a row from the rendered account; default: the account itself
 */
async function respondWithPage<R extends { readonly id: Id; readonly account_id: Id }>(
  context: Services & { viewer: Viewer | null; request: Request },
  rows: readonly R[],
  range: Range,
  toItem: (account: Json, row: R) => Json = account => account,
): Promise<Response> {
  const ids = rows.map(row => row.account_id)
  const rendered = await renderAccounts(context, context.viewer, ids)
  const items = rows.flatMap(row => {
    const account = rendered.get(row.account_id)
    return account ? toItem(account, row) : []
  })
  const cursors = cursorsOf(rows, row => row.id)
  return page(list(items), cursors, context.request, range, { prev: 'since_id' })
}

/** Whether the account shows its follows and followers to this viewer. */
const showsFollows = (account: AccountFragment, viewer: Viewer | null): boolean =>
  !account.suspended && (!account.hideCollections || account.id === viewer?.id)

/** Declares the list of an account's followers, or of the accounts that it follows. */
const followsList = (name: 'followers' | 'following', find: typeof findFollowers, summary: string) =>
  operation({
    method: 'GET',
    path: `/api/v1/accounts/:id/${name}`,
    auth: 'optional',
    scopes: ['read:accounts'],
    cache: 'public',
    cacheTags: ({ id }) => [id],
    params: { id: param.id(), ...pagination },
    returns: '[Account]',
    summary,
    async handle({ id, ...range }, context) {
      const account = await findAccount(context, context.viewer, id)
      if (!showsFollows(account, context.viewer)) return []
      const parameters = { viewer: context.viewer?.id ?? null, account: id, ...bounds(range) }
      return respondWithPage(context, await context.database.run(find, parameters), range)
    },
  })

const followers = followsList('followers', findFollowers, 'List the followers of an account')

const following = followsList('following', findFollowing, 'List the accounts that an account follows')

/** Declares a list of accounts to which the caller has a relation. */
const callersList = (path: string, scope: Scope, find: typeof findBlocks, summary: string) =>
  operation({
    method: 'GET',
    path,
    auth: 'user',
    scopes: ['follow', scope],
    params: pagination,
    returns: '[Account]',
    summary,
    handle: async (range, context) =>
      respondWithPage(
        context,
        await context.database.run(find, { viewer: context.viewer.id, ...bounds(range) }),
        range,
      ),
  })

const blocks = callersList('/api/v1/blocks', 'read:blocks', findBlocks, 'List the accounts that the caller blocks')

const followRequests = callersList(
  '/api/v1/follow_requests',
  'read:follows',
  findRequests,
  'List the accounts that requested to follow the caller',
)

const mutes = operation({
  method: 'GET',
  path: '/api/v1/mutes',
  auth: 'user',
  scopes: ['follow', 'read:mutes'],
  params: pagination,
  returns: '[MutedAccount]',
  summary: 'List the accounts that the caller mutes',
  async handle(range, context) {
    const rows = await context.database.run(findMutes, { viewer: context.viewer.id, ...bounds(range) })
    return respondWithPage(context, rows, range, ({ text }, { expires_at }) => {
      // The entity is text that ends in a brace; one more member is inserted before it.
      return new Json(`${text.slice(0, -1)},"mute_expires_at":${JSON.stringify(expires_at)}}`)
    })
  },
})

const endorsementsOf = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/endorsements',
  auth: 'optional',
  scopes: ['read:accounts'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  params: { id: param.id(), ...pagination },
  returns: '[Account]',
  summary: 'List the accounts that an account features on its profile',
  async handle({ id, ...range }, context) {
    const account = await findAccount(context, context.viewer, id)
    if (account.suspended) return []
    const rows = await context.database.run(findEndorsements, { account: id, ...bounds(range) })
    return respondWithPage(
      context,
      rows.map(row => ({ id: row.id, account_id: row.id })),
      range,
    )
  },
})

const endorsements = operation({
  method: 'GET',
  path: '/api/v1/endorsements',
  auth: 'user',
  scopes: ['read:accounts'],
  params: pagination,
  returns: '[Account]',
  summary: 'List the accounts that the caller features; limit=0 returns all',
  async handle(range, context) {
    const limit = range.limit === 0 ? null : range.limit
    const rows = await context.database.run(findEndorsements, { account: context.viewer.id, ...bounds(range), limit })
    return respondWithPage(
      context,
      rows.map(row => ({ id: row.id, account_id: row.id })),
      range,
    )
  },
})

export const operations = [followers, following, blocks, mutes, followRequests, endorsementsOf, endorsements]
