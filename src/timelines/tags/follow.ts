import { c, query } from '../../platform/database/index.ts'
import { cursorsOf, list, operation, page, param, rangeParameters, hashtagTag } from '../../platform/http/index.ts'
import { displayTag, normaliseTag } from '../../core/text/index.ts'
import { requireTag, tagName } from './name.ts'
import { renderTag, renderTags } from './render.ts'

const follow = query(
  'timelines/tags/follow',
  { viewer: c.id, name: c.text, display_name: c.text, may_begin: c.boolean },
  { begun: c.boolean, refused: c.boolean, events: c.events },
)
const unfollow = query('timelines/tags/unfollow', { viewer: c.id, name: c.text }, { id: c.id, events: c.events })
const findFollowed = query(
  'timelines/tags/followed',
  {
    viewer: c.id,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { id: c.id, name: c.text },
)

export const showTag = operation({
  method: 'GET',
  path: '/api/v1/tags/:name',
  auth: 'optional',
  scopes: [],
  cache: 'public',
  cacheTags: ({ name }) => [hashtagTag(normaliseTag(name)), 'trends.changed'],
  summary: 'Show a hashtag and how much it is used',
  params: { name: tagName },
  returns: 'Tag',
  handle: ({ name }, context) => renderTag(context, context.viewer, requireTag(name)),
})

/** Idempotent. */
export const followTag = operation({
  method: 'POST',
  path: '/api/v1/tags/:name/follow',
  auth: 'user',
  scopes: ['follow', 'write:follows'],
  budget: 'follows',
  manualBudget: true,
  summary: 'Follow a hashtag: its public statuses enter the home timeline',
  params: { name: tagName },
  returns: 'Tag',
  async handle({ name: written }, context) {
    const name = normaliseTag(requireTag(written))
    const { viewer, database, budget } = context
    const exhausted = await budget.exhausted()
    const row = await database.one(follow, {
      viewer: viewer.id,
      name,
      display_name: displayTag(written),
      may_begin: exhausted === undefined,
    })
    if (row?.refused && exhausted) throw exhausted
    if (row?.begun) await budget.spend()
    return renderTag(context, viewer, written)
  },
})

export const unfollowTag = operation({
  method: 'POST',
  path: '/api/v1/tags/:name/unfollow',
  auth: 'user',
  scopes: ['follow', 'write:follows'],
  summary: 'Unfollow a hashtag',
  params: { name: tagName },
  returns: 'Tag',
  async handle({ name: written }, context) {
    const name = normaliseTag(requireTag(written))
    await context.database.run(unfollow, { viewer: context.viewer.id, name })
    return renderTag(context, context.viewer, written)
  },
})

export const showFollowedTags = operation({
  method: 'GET',
  path: '/api/v1/followed_tags',
  auth: 'user',
  scopes: ['follow', 'read:follows'],
  summary: 'List the hashtags that the caller follows, the latest follow first',
  params: { max_id: param.cursor(), since_id: param.cursor(), min_id: param.cursor(), limit: param.limit(100) },
  returns: '[Tag]',
  async handle(range, context) {
    const { viewer, database, request } = context
    const rows = await database.run(findFollowed, {
      viewer: viewer.id,
      ...rangeParameters(range),
    })
    const names = rows.map(row => row.name)
    const tags = await renderTags(context, viewer, names)
    const items = list(names.flatMap(name => tags.get(name) ?? []))
    return page(
      items,
      cursorsOf(rows, row => row.id),
      request,
      range,
      { prev: 'since_id' },
    )
  },
})
