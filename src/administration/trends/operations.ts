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
  type ReviewedKind,
} from '../../timelines/trends/index.ts'
import { adminOperation, listPage, listParameters } from '../index.ts'
import { findPublisher, findPublishers, renderLinks, renderPublisher, renderTrendingStatuses } from './entities.ts'
import { listTrendingLinks, listTrendingStatuses, listTrendingTags } from './review_lists.ts'

const PATH = '/api/v1/admin/trends'
const permission = 'manage_taxonomies'

interface OffsetRange {
  readonly limit: number
  readonly offset: number
}

interface Reviewer extends Context<'optional'> {
  readonly viewer: Viewer
}

const isReviewer = (context: Context<'optional'>): context is Reviewer =>
  context.viewer?.state === 'functional' && hasPermission(context.viewer, permission)

/**
 * Reviewers of trends get all candidates, even while trends are off; everybody else gets the public
 * list.
 */
const trendsOperation = (
  kind: 'tags' | 'links' | 'statuses',
  defaultLimit: number,
  returns: string,
  read: (context: Reviewer, range: OffsetRange) => Promise<{ entities: Json[]; more: boolean }>,
  showPublic: (part: OffsetRange, context: Context<'optional'>) => Promise<Response | Json>,
): AnyOperation =>
  operation({
    method: 'GET',
    path: `${PATH}/${kind}`,
    auth: 'optional',
    scopes: ['admin:read'],
    summary: `List ${kind} that trend, also those that moderators have not approved`,
    params: { limit: param.limit(defaultLimit), offset: param.offset() },
    returns,
    async handle(range, context) {
      if (!context.token && context.request.header('authorization') !== '') throw new ApiError('tokenInvalid')
      if (!isReviewer(context)) return showPublic(range, context)
      const { entities, more } = await read(context, range)
      return offsetPage(list(entities), more, context.request, range)
    },
  })

/** The entities of rows in their order. */
const orderEntities = (rows: readonly { id: Id }[], entities: ReadonlyMap<Id, Json>): Json[] =>
  rows.flatMap(({ id }) => entities.get(id) ?? [])

const idsOf = (rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id)

const listOperations = [
  trendsOperation(
    'tags',
    10,
    '[Admin_Tag] | [Tag]',
    async (context, range) => {
      const rows = await listTrendingTags(context.database, 'all', range)
      const tags = await reviewedTags(context.database, idsOf(rows))
      return { entities: await renderReviewedTags(context, context.viewer, tags), more: rows.length === range.limit }
    },
    showTrendingTags,
  ),
  trendsOperation(
    'links',
    10,
    '[Admin_Trends_Link] | [Trends_Link]',
    async (context, range) => {
      const rows = await listTrendingLinks(context.database, 'all', range)
      const entities = await renderLinks(context, context.viewer, idsOf(rows))
      return { entities: orderEntities(rows, entities), more: rows.length === range.limit }
    },
    showTrendingLinks,
  ),
  trendsOperation(
    'statuses',
    20,
    '[Admin_Trends_Status] | [Status]',
    async (context, range) => {
      const rows = await listTrendingStatuses(context.database, 'all', range)
      const entities = await renderTrendingStatuses(context, context.viewer, idsOf(rows))
      return { entities: orderEntities(rows, entities), more: rows.length === range.limit }
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

/** The operations that approve or reject a candidate; they respond with its entity. */
const decisionOperations = (kind: ReviewedKind, resource: string, returns: string, render: Render): AnyOperation[] =>
  (['approve', 'reject'] as const).map(decision =>
    adminOperation({
      method: 'POST',
      path: `${PATH}/${resource}/:id/${decision}`,
      scopes: ['admin:write'],
      permission,
      summary: decision === 'approve' ? `Allow a ${kind} to trend` : `Keep a ${kind} from trending`,
      params: { id: param.id() },
      returns,
      find: ({ id }, context) => render(context, id),
      async handle({ id }, context) {
        await decide(context, { moderator: context.viewer.id, isLogged: false }, kind, id, decision === 'approve')
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
  ...listOperations,
  listPublishers,
  ...decisionOperations('tag', 'tags', 'Admin_Tag', renderTag),
  ...decisionOperations('publisher', 'links/publishers', 'Admin_Trends_Publisher', renderOnePublisher),
  ...decisionOperations('link', 'links', 'Admin_Trends_Link', renderLink),
  ...decisionOperations('status', 'statuses', 'Admin_Trends_Status', renderStatus),
]
