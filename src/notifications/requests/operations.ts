import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { cursorsOf, list, operation, page, param, rangeParameters } from '../../platform/http/index.ts'
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

const acceptRequest = operation({
  method: 'POST',
  path: '/api/v1/notifications/requests/:id/accept',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Accept a request: its sender is no longer held back',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, context) {
    if ((await accept(context, context.viewer.id, [id])) === 0) throw new ApiError('notFound')
    return {}
  },
})

const dismissRequest = operation({
  method: 'POST',
  path: '/api/v1/notifications/requests/:id/dismiss',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Dismiss a request with its notifications',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, context) {
    if ((await dismiss(context, context.viewer.id, [id])) === 0) throw new ApiError('notFound')
    return {}
  },
})

const some = param.ids({ scalar: true, default: [], description: 'requests; unknown ones are ignored' })

const acceptSome = operation({
  method: 'POST',
  path: '/api/v1/notifications/requests/accept',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Accept several requests',
  params: { id: some },
  returns: '{}',
  async handle({ id: ids }, context) {
    if (ids.length > 0) await accept(context, context.viewer.id, ids)
    return {}
  },
})

const dismissSome = operation({
  method: 'POST',
  path: '/api/v1/notifications/requests/dismiss',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Dismiss several requests with their notifications',
  params: { id: some },
  returns: '{}',
  async handle({ id: ids }, context) {
    if (ids.length > 0) await dismiss(context, context.viewer.id, ids)
    return {}
  },
})

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
  acceptSome,
  acceptRequest,
  dismissSome,
  dismissRequest,
]
