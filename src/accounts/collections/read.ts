import { findAccount } from '../index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Json, list, offsetPage, operation, param, type Response, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderCollections, renderWithAccounts } from './render.ts'

const find = query(
  'accounts/collections/find',
  { viewer: c.nullable(c.id), collection: c.id },
  { id: c.id, account_id: c.id, visible: c.boolean },
)
const PAGE = { limit: c.integer, offset: c.integer } as const
const findOfAccount = query(
  'accounts/collections/of_account',
  { viewer: c.nullable(c.id), account: c.id, ...PAGE },
  { id: c.id },
)
const findFeaturing = query('accounts/collections/featuring', { viewer: c.id, ...PAGE }, { id: c.id })

/** A page of a list plus one row, which shows whether there is another page. */
const partOf = ({ limit, offset }: { limit: number; offset: number }) => ({
  limit: limit === 0 ? 0 : limit + 1,
  offset,
})

/** The entity Collections of a page. */
async function respondWithPage(
  context: Context<'optional' | 'user'>,
  rows: readonly { id: Id }[],
  { limit, offset }: { limit: number; offset: number },
): Promise<Response> {
  const ids = rows.slice(0, limit).map(row => row.id)
  const collections = await renderCollections(context, context.viewer, ids)
  const items = list(ids.flatMap(id => collections.get(id) ?? []))
  return offsetPage(new Json(`{"collections":${items.text}}`), rows.length > limit, context.request, { limit, offset })
}

/**
 * The entity CollectionWithAccounts as the viewer sees it.
 * @throws ApiError notFound, or notAllowed if the viewer may not see it
 */
export async function readCollection(services: Services, viewer: Viewer | null, id: Id): Promise<Json> {
  const found = await services.database.one(find, { viewer: viewer?.id ?? null, collection: id })
  if (found && !found.visible) throw new ApiError('notAllowed')
  const shown = found && (await renderWithAccounts(services, viewer, id))
  if (!shown) throw new ApiError('notFound')
  return shown
}

/** One collection with its accounts. */
export const showCollection = operation({
  method: 'GET',
  path: '/api/v1/collections/:id',
  auth: 'optional',
  scopes: ['read:collections'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  params: { id: param.id() },
  returns: 'CollectionWithAccounts',
  summary: 'Show a collection with its accounts',
  handle: ({ id }, context) => readCollection(context, context.viewer, id),
})

/** An account's collections. */
export const listOfAccount = operation({
  method: 'GET',
  path: '/api/v1/accounts/:account_id/collections',
  auth: 'optional',
  scopes: ['read:collections'],
  cache: 'public',
  cacheTags: ({ account_id: account }) => [account],
  params: { account_id: param.id(), limit: param.limit(40, 100), offset: param.offset() },
  returns: 'Collections',
  summary: 'List the collections of an account',
  async handle({ account_id: account, ...range }, context) {
    const { database, viewer } = context
    await findAccount(context, viewer, account)
    const parameters = { viewer: viewer?.id ?? null, account, ...partOf(range) }
    return respondWithPage(context, await database.run(findOfAccount, parameters), range)
  },
})

/** The collections that contain the caller. */
export const listFeaturing = operation({
  method: 'GET',
  path: '/api/v1/accounts/:account_id/in_collections',
  auth: 'user',
  scopes: ['read:collections'],
  missingTokenError: 'functionalUserRequired',
  params: { account_id: param.id(), limit: param.limit(40), offset: param.offset() },
  returns: 'Collections',
  summary: 'List the collections that feature the caller',
  async handle({ account_id: account, ...range }, context) {
    const { database, viewer } = context
    await findAccount(context, viewer, account)
    if (account !== viewer.id) throw new ApiError('notAllowed')
    const rows = await database.run(findFeaturing, { viewer: viewer.id, ...partOf(range) })
    return respondWithPage(context, rows, range)
  },
})
