import { renderAccounts } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, violatedConstraint, type Database } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { cursorsOf, list as listOf, page, rangeParameters } from '../../platform/http/index.ts'
import { operation } from '../../platform/http/operation.ts'
import { param } from '../../platform/http/param/index.ts'
import { findList } from './list.ts'

const membersQuery = query(
  'timelines/lists/members',
  {
    viewer: c.id,
    list: c.id,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    limit: c.nullable(c.integer),
  },
  { id: c.id },
)
const addQuery = query(
  'timelines/lists/add_members',
  { viewer: c.id, list: c.id, accounts: c.ids },
  { unknown: c.integer, unfollowed: c.integer, listed: c.integer, events: c.events },
)
const removeQuery = query(
  'timelines/lists/remove_members',
  { viewer: c.id, list: c.id, accounts: c.ids },
  { id: c.id, events: c.events },
)

/** The members of a list; a limit of 0 returns all. */
export const listMembers = operation({
  method: 'GET',
  path: '/api/v1/lists/:id/accounts',
  auth: 'user',
  scopes: ['read:lists'],
  params: { id: param.id(), max_id: param.cursor(), since_id: param.cursor(), limit: param.limit(40) },
  returns: '[Account]',
  summary: 'List the members of a list',
  async handle({ id, ...range }, context) {
    const { viewer, database, request } = context
    await findList(database, viewer.id, id)
    const rows = await database.run(membersQuery, {
      viewer: viewer.id,
      list: id,
      ...rangeParameters(range),
      limit: range.limit === 0 ? null : range.limit,
    })
    const ids = rows.map(row => row.id)
    const accounts = await renderAccounts(context, viewer, ids)
    const items = listOf(ids.flatMap(member => accounts.get(member) ?? []))
    const cursors = cursorsOf(ids, member => member)
    return page(items, cursors, request, range, { prev: 'since_id' })
  },
})

/**
 * A request to follow was accepted meanwhile, so that now there is the follow; a follow has ended;
 * or another request has added the account.
 */
const CHANGED_MEANWHILE: ReadonlySet<string | undefined> = new Set([
  'list_accounts_follow_request_id_fkey',
  'list_accounts_follow_id_fkey',
  'list_accounts_pkey',
])

/**
 * Adds accounts to a list, all or none.
 * @returns listed: one of them is on it, so nothing was added
 * @throws ApiError notFound; validation for an account that the viewer does not follow
 */
export async function addListMembers(
  database: Database,
  viewer: Id,
  list: Id,
  accounts: readonly Id[],
): Promise<'added' | 'listed'> {
  const add = () => database.one(addQuery, { viewer, list, accounts: [...accounts] })
  const verdict = await add().catch((error: unknown) => {
    if (CHANGED_MEANWHILE.has(violatedConstraint(error))) return add()
    throw error
  })
  if (!verdict || verdict.unknown > 0) throw new ApiError('notFound')
  if (verdict.unfollowed > 0) throw validationError('Account must be a followed account')
  return verdict.listed > 0 ? 'listed' : 'added'
}

export async function removeListMembers(
  database: Database,
  viewer: Id,
  list: Id,
  accounts: readonly Id[],
): Promise<void> {
  await database.run(removeQuery, { viewer, list, accounts: [...accounts] })
}

/** Add accounts to a list, all or none. */
export const addMembers = operation({
  method: 'POST',
  path: '/api/v1/lists/:id/accounts',
  auth: 'user',
  scopes: ['write:lists'],
  params: {
    id: param.id(),
    account_ids: param.ids({
      default: [],
      scalar: true,
      invalid: 'notFound',
      description: 'followed accounts, or the own one',
    }),
  },
  returns: '{}',
  summary: 'Add members to a list',
  async handle({ id, account_ids: accounts }, { viewer, database }) {
    if ((await addListMembers(database, viewer.id, id, accounts)) === 'listed')
      throw validationError('Account is already on the list')
    return {}
  },
})

/** Remove accounts from a list. */
export const removeMembers = operation({
  method: 'DELETE',
  path: '/api/v1/lists/:id/accounts',
  auth: 'user',
  scopes: ['write:lists'],
  params: { id: param.id(), account_ids: param.ids({ default: [], scalar: true }) },
  returns: '{}',
  summary: 'Remove members from a list',
  async handle({ id, account_ids: accounts }, { viewer, database }) {
    const removed = await database.one(removeQuery, { viewer: viewer.id, list: id, accounts: [...accounts] })
    if (!removed) throw new ApiError('notFound')
    return {}
  },
})
