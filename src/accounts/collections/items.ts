import { c, query, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { empty, operation, param } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { MAX_ITEMS, TOO_MANY_ITEMS } from './fields.ts'
import { toItem } from './item.ts'
import { lockMembers, lockOwn } from './own.ts'

const addQuery = query(
  'accounts/collections/add_item',
  { collection: c.id, account: c.id, limit: c.integer },
  {
    willing: c.boolean,
    taken: c.boolean,
    has_room: c.boolean,
    id: c.nullable(c.id),
    state: c.nullable(c.text),
    created_at: c.nullable(c.timestamp),
    events: c.events,
  },
)
const removeQuery = query(
  'accounts/collections/remove_item',
  { collection: c.id, item: c.id },
  { id: c.id, events: c.events },
)
const revokeQuery = query(
  'accounts/collections/revoke',
  { viewer: c.id, collection: c.id, item: c.id },
  { own: c.boolean, sent: c.integer, events: c.events },
)

/** @throws ApiError for a missing or invalid id */
function requireAccount(text: string | undefined): Id {
  if (text === undefined || text === '')
    throw new ApiError('validation', { message: '`account_id` parameter is missing' })
  const id = parseId(text)
  if (id === undefined) throw new ApiError('notFound')
  return id
}

/** Adds an account to a collection. */
export const addItem = operation({
  method: 'POST',
  path: '/api/v1/collections/:collection_id/items',
  auth: 'user',
  scopes: ['write:collections'],
  params: { collection_id: param.id(), account_id: param.string({ optional: true, description: 'required' }) },
  returns: 'WrappedCollectionItem',
  summary: 'Add an account to a collection',
  async handle({ collection_id: collection, account_id: id }, { database, viewer }) {
    const account = requireAccount(id)
    const item = await database.transaction(async transaction => {
      await lockOwn(transaction, viewer.id, collection)
      await lockMembers(transaction, viewer.id, [account])
      const found = await transaction.one(addQuery, { collection, account, limit: MAX_ITEMS })
      if (!found) throw new ApiError('notFound')
      if (!found.willing) throw new ApiError('notAllowed')
      if (found.taken) throw validationError('Account has already been taken')
      const { id, state, created_at } = found
      if (id === null || state === null || created_at === null)
        throw validationError(`Collection items ${TOO_MANY_ITEMS}`)
      return { id, state, created_at, account_id: account }
    })
    return { collection_item: toItem(item) }
  },
})

/**
 * Removes an account from a collection; whether it was in it.
 * @throws ApiError notFound, notAllowed
 */
export async function deleteItem(transaction: Runner, curator: Id, collection: Id, item: Id): Promise<boolean> {
  await lockOwn(transaction, curator, collection)
  return (await transaction.one(removeQuery, { collection, item })) !== undefined
}

/** Removes an account from a collection. */
export const removeItem = operation({
  method: 'DELETE',
  path: '/api/v1/collections/:collection_id/items/:id',
  auth: 'user',
  scopes: ['write:collections'],
  params: { collection_id: param.id(), id: param.id() },
  returns: 'empty body',
  summary: 'Remove an account from a collection',
  async handle({ collection_id: collection, id: item }, { database, viewer }) {
    await database.transaction(async transaction => {
      if (!(await deleteItem(transaction, viewer.id, collection, item))) throw new ApiError('notFound')
    })
    return empty(200)
  },
})

/** Removes the caller from another account's collection, permanently. */
export const revokeItem = operation({
  method: 'POST',
  path: '/api/v1/collections/:collection_id/items/:id/revoke',
  auth: 'user',
  scopes: ['write:collections'],
  params: { collection_id: param.id(), id: param.id() },
  returns: 'empty body',
  summary: 'Remove the caller from a collection',
  async handle({ collection_id: collection, id: item }, { database, viewer }) {
    const revoked = await database.one(revokeQuery, { viewer: viewer.id, collection, item })
    if (!revoked) throw new ApiError('notFound')
    if (!revoked.own) throw new ApiError('notAllowed')
    return empty(200)
  },
})
