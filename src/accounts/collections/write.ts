import { c, query, type Runner } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { lockAccount } from '../index.ts'
import { empty, Json, operation, param, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { checkChange, fields, requireComplete } from './fields.ts'
import { lockMembers, lockOwn } from './own.ts'
import { renderCollection } from './render.ts'
import { findOrStoreTag } from './tag.ts'

const WRITTEN = {
  name: c.text,
  description: c.nullable(c.text),
  language: c.nullable(c.text),
  tag_id: c.nullable(c.id),
  sensitive: c.boolean,
  discoverable: c.boolean,
} as const

const createQuery = query(
  'accounts/collections/create',
  { viewer: c.id, ...WRITTEN, accounts: c.ids },
  { unknown: c.integer, unwilling: c.integer, has_room: c.boolean, id: c.nullable(c.id), events: c.events },
)
const changeQuery = query(
  'accounts/collections/change',
  { collection: c.id, ...WRITTEN },
  { id: c.id, events: c.events },
)
const removeQuery = query('accounts/collections/remove', { collection: c.id }, { id: c.id, events: c.events })

/** The entity WrappedCollection. */
async function respondWrapped(context: Context<'user'>, id: Id): Promise<Json> {
  const collection = await renderCollection(context, context.viewer, id)
  if (!collection) throw new ApiError('notFound')
  return new Json(`{"collection":${collection.text}}`)
}

/** @throws ApiError validation with `details`; its message has no prefix */
function refuseMore(): never {
  const text = 'are too many'
  const details = { base: [{ error: 'ERR_TOO_MANY', description: '' }] }
  throw new ApiError('validation', { message: `Validation failed: ${text}`, body: { details } })
}

/**
 * Creates a collection and notifies its accounts. If one of them cannot be added, it is not
 * created.
 */
export const createCollection = operation({
  method: 'POST',
  path: '/api/v1/collections',
  auth: 'user',
  scopes: ['write:collections'],
  details: 'nested',
  params: {
    ...fields,
    account_ids: param.ids({ default: [], scalar: true, invalid: 'notFound', description: 'who is in it' }),
  },
  returns: 'WrappedCollection',
  summary: 'Make a collection of accounts',
  async handle({ account_ids: accounts, ...given }, context) {
    const { database, viewer } = context
    const { tag_name: tag, ...complete } = requireComplete(given, accounts)
    const id = await database.transaction(async transaction => {
      await lockAccount(transaction, viewer.id)
      await lockMembers(transaction, viewer.id, accounts)
      const collection = await transaction.one(createQuery, {
        ...complete,
        viewer: viewer.id,
        description: complete.description || null,
        language: findLanguage(complete.language ?? '') ?? null,
        tag_id: await findOrStoreTag(transaction, tag ?? null),
        accounts: [...accounts],
      })
      if (!collection || collection.unknown > 0) throw new ApiError('notFound')
      if (collection.unwilling > 0) throw new ApiError('notAllowed')
      return collection.id ?? refuseMore()
    })
    return respondWrapped(context, id)
  },
})

/** Changes the given fields of a collection and notifies its members of relevant changes. */
export const changeCollection = operation({
  method: ['PATCH', 'PUT'],
  path: '/api/v1/collections/:id',
  auth: 'user',
  scopes: ['write:collections'],
  details: 'nested',
  params: { id: param.id(), ...fields },
  returns: 'WrappedCollection',
  summary: 'Change a collection',
  async handle({ id, ...given }, context) {
    const { database, viewer } = context
    await database.transaction(async transaction => {
      const old = await lockOwn(transaction, viewer.id, id)
      checkChange(given)
      await transaction.one(changeQuery, {
        collection: id,
        name: given.name ?? old.name,
        description: given.description === undefined ? old.description : given.description || null,
        language: given.language === undefined ? old.language : (findLanguage(given.language ?? '') ?? null),
        tag_id: given.tag_name === undefined ? old.tag_id : await findOrStoreTag(transaction, given.tag_name),
        sensitive: given.sensitive ?? old.sensitive,
        discoverable: given.discoverable ?? old.discoverable,
      })
    })
    return respondWrapped(context, id)
  },
})

/**
 * Deletes a collection of an account.
 * @throws ApiError notFound, notAllowed
 */
export async function deleteCollection(transaction: Runner, curator: Id, collection: Id): Promise<void> {
  await lockOwn(transaction, curator, collection)
  await transaction.one(removeQuery, { collection })
}

/** Deletes a collection. */
export const removeCollection = operation({
  method: 'DELETE',
  path: '/api/v1/collections/:id',
  auth: 'user',
  scopes: ['write:collections'],
  params: { id: param.id() },
  returns: 'empty body',
  summary: 'Delete a collection',
  async handle({ id }, { database, viewer }) {
    await database.transaction(transaction => deleteCollection(transaction, viewer.id, id))
    return empty(200)
  },
})
