import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { Json, list, operation, param } from '../platform/http/index.ts'
import { parseId, type Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { INVALID_DOMAIN, parseHandle } from './handle.ts'
import { findAccount, isVisibleTo } from './find_account.ts'
import { accountFragments, renderAccount, renderAccounts } from './render.ts'
import { findRemoteHandle } from './remote_lookup.ts'
import { usernames } from './usernames.ts'

const byHandle = query('accounts/by_handle', { username: c.text, domain: c.text }, { id: c.id })

const withInvalidHandle = query('accounts/with_invalid_handle', { id: c.id }, { id: c.id })

const familiarFollowers = query(
  'accounts/familiar_followers',
  { viewer: c.id, ids: c.ids, limit: c.integer },
  { id: c.id, follower_ids: c.ids },
)

const listsWith = query(
  'accounts/lists_with',
  { viewer: c.id, account: c.id },
  { id: c.id, title: c.text, replies_policy: c.text, exclusive: c.boolean },
)

const MAX_ACCOUNTS = 40
/**
 * Accounts whose familiar followers are asked for, and followers of each: as many as the largest
 * page of followers has.
 */
const MAX_FAMILIAR = 80

/**
 * Refuses a request for too many accounts at once.
 * @throws ApiError validation; clients see the name of Mastodon's exception
 */
function checkCount(ids: readonly Id[], max: number): void {
  if (ids.length > max) throw new ApiError('validation', { message: 'Mastodon::ValidationError' })
}

/**
 * The id of the account with a handle `user`, `@user` or `user@domain`; this server's domain may be
 * given, and `id@handle.invalid` for one whose handle is invalid. Undefined if there is none.
 */
export async function findByHandle(services: Services, text: string): Promise<Id | undefined> {
  const handle = parseHandle(text, services.config)
  if (!handle) return undefined
  const { username, domain } = handle
  if (domain === null) return (await usernames(services).one(username.toLowerCase()))?.id
  if (domain === INVALID_DOMAIN) {
    const id = parseId(username)
    return id && (await services.database.one(withInvalidHandle, { id }))?.id
  }
  return (await services.database.one(byHandle, { username, domain }))?.id
}

/** As `findByHandle`; asks the server of an account that is not known here. */
export const resolveByHandle = async (services: Services, text: string): Promise<Id | undefined> =>
  (await findByHandle(services, text)) ?? (await findRemoteHandle(services, text))

const index = operation({
  method: 'GET',
  path: '/api/v1/accounts',
  auth: 'optional',
  scopes: ['read:accounts'],
  params: { id: param.ids({ default: [] }) },
  returns: '[Account]',
  summary: 'Show several accounts by id',
  async handle({ id: ids }, context) {
    checkCount(ids, MAX_ACCOUNTS)
    const fragments = await accountFragments(context).get(ids)
    const known = ids.filter(id => {
      const fragment = fragments.get(id)
      return fragment && isVisibleTo(fragment, context.viewer)
    })
    return list([...(await renderAccounts(context, context.viewer, known)).values()])
  },
})

const show = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id',
  auth: 'optional',
  scopes: ['read:accounts'],
  cache: 'public',
  cacheTags: () => [],
  params: { id: param.id() },
  returns: 'Account',
  summary: 'Show an account',
  async handle({ id }, context) {
    await findAccount(context, context.viewer, id)
    return (await renderAccount(context, context.viewer, id)) ?? {}
  },
})

const lookup = operation({
  method: 'GET',
  path: '/api/v1/accounts/lookup',
  auth: 'optional',
  scopes: ['read:accounts'],
  cache: 'public',
  cacheTags: () => [],
  params: { acct: param.string({ missing: 404 }) },
  returns: 'Account',
  summary: 'Show the account with a handle',
  async handle({ acct }, context) {
    const id = await findByHandle(context, acct)
    if (id === undefined) throw new ApiError('notFound')
    await findAccount(context, context.viewer, id)
    return (await renderAccount(context, context.viewer, id)) ?? {}
  },
})

const familiar = operation({
  method: 'GET',
  path: '/api/v1/accounts/familiar_followers',
  auth: 'user',
  scopes: ['read:follows'],
  params: { id: param.ids({ default: [], scalar: true }) },
  returns: '[FamiliarFollowers]',
  summary: `List followers of accounts that the caller follows too, the newest ${MAX_FAMILIAR} of each`,
  async handle({ id: ids }, context) {
    checkCount(ids, MAX_FAMILIAR)
    const { viewer, database } = context
    const parameters = { viewer: viewer.id, ids: [...ids], limit: MAX_FAMILIAR }
    const rows = ids.length === 0 ? [] : await database.run(familiarFollowers, parameters)
    const rendered = await renderAccounts(context, viewer, [...new Set(rows.flatMap(row => row.follower_ids))])
    return list(
      rows.map(({ id, follower_ids }) => {
        const accounts = list(follower_ids.flatMap(follower => rendered.get(follower) ?? []))
        return new Json(`{"id":"${id}","accounts":${accounts.text}}`)
      }),
    )
  },
})

const lists = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/lists',
  auth: 'user',
  scopes: ['read:lists'],
  params: { id: param.id() },
  returns: '[List]',
  summary: "List the caller's lists that contain an account",
  async handle({ id }, context) {
    const account = await findAccount(context, context.viewer, id)
    return account.suspended ? [] : context.database.run(listsWith, { viewer: context.viewer.id, account: id })
  },
})

const identityProofs = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/identity_proofs',
  auth: 'user',
  scopes: [],
  params: {},
  headers: { Deprecation: '@1648598400' },
  returns: '[IdentityProof]',
  summary: 'Show an empty list, for old clients',
  handle: () => [],
})

export const operations = [index, lookup, familiar, show, lists, identityProofs]
