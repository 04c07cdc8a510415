import { featuredTagsOf, lockAccount, type FeaturedTag } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { c, query, type Database, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { list, operation, param, type Context } from '../../platform/http/index.ts'
import { displayTag, isValidTag, normaliseTag } from '../../core/text/index.ts'
import { requireTag, tagName } from './name.ts'
import { renderTag, renderTags } from './render.ts'

const feature = query(
  'timelines/tags/feature',
  { viewer: c.id, name: c.text, spelling: c.text, limit: c.integer },
  { spelling: c.nullable(c.text), events: c.events },
)
const unfeature = query('timelines/tags/unfeature', { viewer: c.id, name: c.text }, { id: c.id, events: c.events })
const deleteFeatured = query(
  'timelines/tags/delete_featured',
  { viewer: c.id, featured: c.id },
  { id: c.id, events: c.events },
)
const findRecentlyUsed = query('timelines/tags/recently_used', { viewer: c.id }, { name: c.text })

const MAX_FEATURED = 10

/**
 * Puts a hashtag on the profile of an account, in a transaction; its featured spelling, or null
 * when there are too many.
 */
export async function storeFeatured(
  transaction: Runner,
  account: Id,
  written: string,
  limit: number,
): Promise<string | null> {
  await lockAccount(transaction, account)
  const name = normaliseTag(written)
  return (
    (await transaction.one(feature, { viewer: account, name, spelling: displayTag(written), limit }))?.spelling ?? null
  )
}

/** Takes a hashtag off the profile of an account. */
export const unfeatureTag = async (runner: Runner, account: Id, written: string): Promise<void> =>
  void (await runner.run(unfeature, { viewer: account, name: normaliseTag(written) }))

/**
 * Features a hashtag and returns its featured spelling, which may be an earlier one.
 * @throws ApiError validation when the limit is reached
 */
async function featureTag(database: Database, viewer: Id, written: string): Promise<string> {
  const spelling = await database.transaction(transaction => storeFeatured(transaction, viewer, written, MAX_FEATURED))
  if (spelling === null) throw validationError('You have already featured the maximum number of hashtags')
  return spelling
}

/**
 * Features a hashtag as `POST /api/v1/featured_tags` does.
 * @throws ApiError validation for an invalid or featured one, or when the limit is reached
 */
export async function addFeatured(services: Services, viewer: Viewer, written: string): Promise<FeaturedTag> {
  const name = written.trim().replace(/^#/, '')
  if (!isValidTag(name)) throw validationError('Name is invalid')
  const spelling = await featureTag(services.database, viewer.id, name)
  if (spelling !== displayTag(name)) throw validationError('Tag has already been taken')
  const tags = await featuredTagsOf(services, { id: viewer.id, acct: viewer.username })
  const featured = tags.find(tag => tag.name === spelling)
  if (!featured) throw new ApiError('notFound')
  return featured
}

/** @throws ApiError notFound unless the viewer features it */
export async function removeFeatured(database: Database, viewer: Id, featured: Id): Promise<void> {
  if (!(await database.one(deleteFeatured, { viewer, featured }))) throw new ApiError('notFound')
}

/** The hashtags that the viewer used recently and does not feature. */
export const recentlyUsedTags = async (database: Database, viewer: Id): Promise<string[]> =>
  (await database.run(findRecentlyUsed, { viewer })).map(row => row.name)

const own = ({ viewer }: Context<'user'>): { id: string; acct: string } => ({ id: viewer.id, acct: viewer.username })

/** Idempotent. */
export const addToProfile = operation({
  method: 'POST',
  path: '/api/v1/tags/:name/feature',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: "Feature a hashtag on the caller's profile",
  params: { name: tagName },
  returns: 'Tag',
  async handle({ name }, context) {
    await featureTag(context.database, context.viewer.id, requireTag(name))
    return renderTag(context, context.viewer, name)
  },
})

export const removeFromProfile = operation({
  method: 'POST',
  path: '/api/v1/tags/:name/unfeature',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: "Stop featuring a hashtag on the caller's profile",
  params: { name: tagName },
  returns: 'Tag',
  async handle({ name }, context) {
    await context.database.run(unfeature, { viewer: context.viewer.id, name: normaliseTag(requireTag(name)) })
    return renderTag(context, context.viewer, name)
  },
})

export const showFeaturedTags = operation({
  method: 'GET',
  path: '/api/v1/featured_tags',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: "List the hashtags on the caller's profile",
  params: {},
  returns: '[FeaturedTag]',
  handle: (_, context) => featuredTagsOf(context, own(context)),
})

export const addFeaturedTag = operation({
  method: 'POST',
  path: '/api/v1/featured_tags',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: "Feature a hashtag on the caller's profile",
  params: { name: param.string({ trim: true, missing: 400 }) },
  returns: 'FeaturedTag',
  handle: ({ name }, context) => addFeatured(context, context.viewer, name),
})

export const removeFeaturedTag = operation({
  method: 'DELETE',
  path: '/api/v1/featured_tags/:id',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: "Stop featuring a hashtag on the caller's profile",
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    await removeFeatured(database, viewer.id, id)
    return {}
  },
})

export const suggestFeaturedTags = operation({
  method: 'GET',
  path: '/api/v1/featured_tags/suggestions',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List hashtags that the caller used recently and does not feature',
  params: {},
  returns: '[Tag]',
  async handle(_, context) {
    const { viewer, database } = context
    const names = await recentlyUsedTags(database, viewer.id)
    const tags = await renderTags(context, viewer, names)
    return list(names.flatMap(name => tags.get(name) ?? []))
  },
})
