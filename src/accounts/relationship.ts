import { c, query, type Database, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { hasPermission } from '../core/permissions.ts'
import { Json, list, operation, param } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'

const relationships = query(
  'accounts/relationships',
  { viewer: c.id, ids: c.ids, with_suspended: c.boolean, with_pending: c.boolean },
  {
    id: c.id,
    following: c.boolean,
    showing_reblogs: c.boolean,
    notifying: c.boolean,
    languages: c.nullable(c.texts),
    followed_by: c.boolean,
    blocking: c.boolean,
    blocked_by: c.boolean,
    muting: c.boolean,
    muting_notifications: c.boolean,
    muting_expires_at: c.nullable(c.timestamp),
    requested: c.boolean,
    requested_by: c.boolean,
    domain_blocking: c.boolean,
    endorsed: c.boolean,
    note: c.text,
  },
)

const lock = query('accounts/lock_pair', { one: c.id, other: c.id }, { locks: c.integer })

/** Serializes changes of the relations of two accounts until the transaction ends. */
export async function lockPair(transaction: Runner, one: Id, other: Id): Promise<void> {
  await transaction.run(lock, { one, other })
}

/**
 * Changes the relationship of two accounts in one transaction. Changes of the same pair are
 * serialized, so that, for example, no follow is created beside a block.
 */
export function changePair<T>(
  database: Database,
  one: Id,
  other: Id,
  work: (transaction: Runner) => Promise<T>,
): Promise<T> {
  return database.transaction(async transaction => {
    await lockPair(transaction, one, other)
    return work(transaction)
  })
}

const withoutFraction = (moment: Date | null): string | null =>
  moment === null ? null : moment.toISOString().replace(/\.\d+Z$/, 'Z')

/**
 * The relationships of the viewer with these accounts (entity Relationship), in the given order;
 * unknown accounts are omitted, and pending ones unless the viewer is a moderator.
 */
async function renderRelationships(
  { database }: Services,
  viewer: Viewer,
  ids: readonly Id[],
  options: { withSuspended?: boolean } = {},
): Promise<Json[]> {
  if (ids.length === 0) return []
  const rows = await database.run(relationships, {
    viewer: viewer.id,
    ids: [...ids],
    with_suspended: options.withSuspended ?? false,
    with_pending: hasPermission(viewer, 'manage_users'),
  })
  return rows.map(
    row => new Json(JSON.stringify({ ...row, muting_expires_at: withoutFraction(row.muting_expires_at) })),
  )
}

/**
 * The relationship of the viewer with one account, even if suspended: the response to each change.
 * @throws ApiError notFound if the account does not exist
 */
export async function renderRelationship(services: Services, viewer: Viewer, id: Id): Promise<Json> {
  const [relationship] = await renderRelationships(services, viewer, [id], { withSuspended: true })
  if (!relationship) throw new ApiError('notFound')
  return relationship
}

export const listRelationships = operation({
  method: 'GET',
  path: '/api/v1/accounts/relationships',
  auth: 'user',
  scopes: ['read:follows'],
  params: { id: param.ids({ default: [], scalar: true }), with_suspended: param.boolean({ default: false }) },
  returns: '[Relationship]',
  summary: "Show the caller's relationships with other accounts",
  handle: async ({ id, with_suspended }, context) =>
    list(await renderRelationships(context, context.viewer, id, { withSuspended: with_suspended })),
})
