import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import {
  cursorsOf,
  list,
  operation,
  page,
  param,
  rangeParameters,
  type AnyOperation,
} from '../../platform/http/index.ts'
import { accept } from './merge.ts'
import { dismiss } from './remove.ts'
import { renderRequests, requestColumns } from './render.ts'

const findPage = query(
  'notifications/requests/page',
  {
    viewer: c.id,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  requestColumns,
)
const findRequest = query('notifications/requests/find', { viewer: c.id, request: c.id }, requestColumns)
const findMerging = query('notifications/requests/merging', { viewer: c.id }, { merging: c.boolean })

const showRequests = operation({
  method: 'GET',
  path: '/api/v1/notifications/requests',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: "List the senders of the caller's filtered notifications",
  params: { max_id: param.cursor(), since_id: param.cursor(), min_id: param.cursor(), limit: param.limit(40) },
  returns: '[NotificationRequest]',
  async handle(range, context) {
    const { viewer, database, request } = context
    const rows = await database.run(findPage, {
      viewer: viewer.id,
      ...rangeParameters(range),
    })
    return page(
      list(await renderRequests(context, viewer, rows)),
      cursorsOf(rows, row => row.id),
      request,
      range,
    )
  },
})

const showRequest = operation({
  method: 'GET',
  path: '/api/v1/notifications/requests/:id',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show one request of the caller',
  params: { id: param.id() },
  returns: 'NotificationRequest',
  async handle({ id }, context) {
    const row = await context.database.one(findRequest, { viewer: context.viewer.id, request: id })
    const [rendered] = row ? await renderRequests(context, context.viewer, [row]) : []
    if (!rendered) throw new ApiError('notFound')
    return rendered
  },
})

const WRITE = { method: 'POST', auth: 'user', scopes: ['write:notifications'], returns: '{}' } as const
const someIds = param.ids({ scalar: true, default: [], description: 'requests; unknown ones are ignored' })

/** The operations that decide on one request and on several. */
const decisionOperations = (
  name: 'accept' | 'dismiss',
  decide: typeof accept,
  summaries: { readonly one: string; readonly several: string },
): AnyOperation[] => [
  operation({
    ...WRITE,
    path: `/api/v1/notifications/requests/${name}`,
    summary: summaries.several,
    params: { id: someIds },
    async handle({ id: ids }, context) {
      if (ids.length > 0) await decide(context, context.viewer.id, ids)
      return {}
    },
  }),
  operation({
    ...WRITE,
    path: `/api/v1/notifications/requests/:id/${name}`,
    summary: summaries.one,
    params: { id: param.id() },
    async handle({ id }, context) {
      if ((await decide(context, context.viewer.id, [id])) === 0) throw new ApiError('notFound')
      return {}
    },
  }),
]

const showMerged = operation({
  method: 'GET',
  path: '/api/v1/notifications/requests/merged',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show whether the notifications of all accepted requests have been merged',
  params: {},
  returns: '{"merged": boolean}',
  async handle(_, { viewer, database }) {
    return { merged: (await database.one(findMerging, { viewer: viewer.id }))?.merging !== true }
  },
})

export const operations = [
  showRequests,
  showMerged,
  showRequest,
  ...decisionOperations('accept', accept, {
    one: 'Accept a request: its sender is no longer held back',
    several: 'Accept several requests',
  }),
  ...decisionOperations('dismiss', dismiss, {
    one: 'Dismiss a request with its notifications',
    several: 'Dismiss several requests with their notifications',
  }),
]
