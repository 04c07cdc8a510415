import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Viewer } from '../../core/viewer.ts'
import {
  list,
  offsetPage,
  operation,
  param,
  type AnyOperation,
  type Context,
  type Json,
  type Response,
} from '../../platform/http/index.ts'
import { findReviewedTag, renderReviewedTags, reviewedTags } from '../../timelines/tags/index.ts'
import {
  decide,
  showTrendingLinks,
  showTrendingStatuses,
  showTrendingTags,
  type Reviewed,
} from '../../timelines/trends/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'
import { findPublisher, findPublishers, renderLinks, renderPublisher, renderTrendingStatuses } from './entities.ts'
import { risingLinks, risingStatuses, risingTags } from './rising.ts'

const PATH = '/api/v1/admin/trends'
const permission = 'manage_taxonomies'

interface Part {
  readonly limit: number
  readonly offset: number
}

interface Reader extends Context<'optional'> {
  readonly viewer: Viewer
}

const isReviewer = (context: Context<'optional'>): context is Reader =>
  context.viewer?.state === 'functional' && hasPermission(context.viewer, permission)

/**
 * A list of everything that rises for those who review trends, also while trends are off; for
 * everybody else the public list.
 */
const trends = (
  kind: 'tags' | 'links' | 'statuses',
  usual: number,
  returns: string,
  read: (context: Reader, part: Part) => Promise<{ entities: Json[]; more: boolean }>,
  showPublic: (part: Part, context: Context<'optional'>) => Promise<Response | Json>,
): AnyOperation =>
  operation({
    method: 'GET',
    path: `${PATH}/${kind}`,
    auth: 'optional',
    scopes: ['admin:read'],
    summary: `List ${kind} that trend, also those that moderators have not approved`,
    params: { limit: param.limit(usual), offset: param.integer({ default: 0, min: 0 }) },
    returns,
    async handle(part, context) {
      if (!context.token && context.request.header('authorization') !== '') throw new ApiError('tokenInvalid')
      if (!isReviewer(context)) return showPublic(part, context)
      const { entities, more } = await read(context, part)
      return offsetPage(list(entities), more, context.request, part)
    },
  })

/** The entities of rows in their order. */
const inOrder = (rows: readonly { id: Id }[], entities: ReadonlyMap<Id, Json>): Json[] =>
  rows.flatMap(({ id }) => entities.get(id) ?? [])

const idsOf = (rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id)

const lists = [
  trends(
    'tags',
    10,
    '[Admin_Tag] | [Tag]',
    async (context, part) => {
      const rows = await risingTags(context.database, 'all', part)
      const tags = await reviewedTags(context.database, idsOf(rows))
      return { entities: await renderReviewedTags(context, context.viewer, tags), more: rows.length === part.limit }
    },
    showTrendingTags,
  ),
  trends(
    'links',
    10,
    '[Admin_Trends_Link] | [Trends_Link]',
    async (context, part) => {
      const rows = await risingLinks(context.database, 'all', part)
      const entities = await renderLinks(context, context.viewer, idsOf(rows))
      return { entities: inOrder(rows, entities), more: rows.length === part.limit }
    },
    showTrendingLinks,
  ),
  trends(
    'statuses',
    20,
    '[Admin_Trends_Status] | [Status]',
    async (context, part) => {
      const rows = await risingStatuses(context.database, 'all', part)
      const entities = await renderTrendingStatuses(context, context.viewer, idsOf(rows))
      return { entities: inOrder(rows, entities), more: rows.length === part.limit }
    },
    showTrendingStatuses,
  ),
]

const listPublishers = adminOperation({
  method: 'GET',
  path: `${PATH}/links/publishers`,
  scopes: ['admin:read'],
  permission,
  summary: 'List the publishers of links that have trended, newest first',
  params: listParameters(),
  returns: '[Admin_Trends_Publisher]',
  async handle(range, context) {
    return listPage(await findPublishers(context.database, range), renderPublisher, context, range)
  },
})

type Render = (context: Context<'admin'>, id: Id) => Promise<Json | undefined>

/** The operations that approve and reject something; they answer with it. */
const decisions = (what: Reviewed, place: string, returns: string, render: Render): AnyOperation[] =>
  (['approve', 'reject'] as const).map(decision =>
    adminOperation({
      method: 'POST',
      path: `${PATH}/${place}/:id/${decision}`,
      scopes: ['admin:write'],
      permission,
      summary: decision === 'approve' ? `Let a ${what} trend` : `Keep a ${what} from trending`,
      params: { id: param.id() },
      returns,
      find: ({ id }, context) => render(context, id),
      async handle({ id }, context) {
        await decide(context, context.viewer.id, what, id, decision === 'approve')
        const entity = await render(context, id)
        if (!entity) throw new ApiError('notFound')
        return entity
      },
    }),
  )

const renderTag: Render = async (context, id) => {
  const tag = await findReviewedTag(context.database, id)
  return tag && (await renderReviewedTags(context, context.viewer, [tag]))[0]
}
const renderLink: Render = async (context, id) => (await renderLinks(context, context.viewer, [id])).get(id)
const renderStatus: Render = async (context, id) =>
  (await renderTrendingStatuses(context, context.viewer, [id])).get(id)
const renderOnePublisher: Render = async ({ database }, id) => {
  const publisher = await findPublisher(database, id)
  return publisher && renderPublisher(publisher)
}

export const operations: readonly AnyOperation[] = [
  ...lists,
  listPublishers,
  ...decisions('tag', 'tags', 'Admin_Tag', renderTag),
  ...decisions('publisher', 'links/publishers', 'Admin_Trends_Publisher', renderOnePublisher),
  ...decisions('link', 'links', 'Admin_Trends_Link', renderLink),
  ...decisions('status', 'statuses', 'Admin_Trends_Status', renderStatus),
]
