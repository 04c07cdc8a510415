import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { cursorsOf, operation, page, param } from '../platform/http/index.ts'
import { renderPage } from './page.ts'
import { renderNotification } from './render.ts'
import { selection, selectNotifications } from './select.ts'

/** The last notification that the viewer has read. */
export const findRead = query('notifications/last_read', { viewer: c.id }, { id: c.id })

const supported = param.strings({ optional: true, description: 'types the client can draw; others get a fallback' })

/** The caller's notifications, newest first. */
export const showNotifications = operation({
  method: 'GET',
  path: '/api/v1/notifications',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'List the notifications of the caller',
  params: {
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(40),
    ...selection,
    supported_types: supported,
  },
  returns: '[Notification]',
  async handle(parameters, context) {
    const { viewer } = context
    const { json, rows } = await renderPage(context, viewer, parameters, parameters, parameters.supported_types)
    return page(
      json,
      cursorsOf(rows, row => row.id),
      context.request,
      parameters,
      { keep: ['types', 'exclude_types', 'account_id', 'include_filtered', 'supported_types'], alwaysNext: true },
    )
  },
})

export const showNotification = operation({
  method: 'GET',
  path: '/api/v1/notifications/:id',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show one notification of the caller, even if filtered',
  params: { id: param.id(), supported_types: supported },
  returns: 'Notification',
  async handle({ id, supported_types }, context) {
    const found = await renderNotification(context, context.viewer, id, { supported: supported_types })
    if (!found) throw new ApiError('notFound')
    return found
  },
})

/**
 * Unread are notifications after the marker of the timeline `notifications`; all without a marker.
 */
export const countUnread = operation({
  method: 'GET',
  path: '/api/v1/notifications/unread_count',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Count the unread notifications of the caller, up to a limit',
  params: { limit: param.limit(100, 1000), ...selection },
  returns: '{"count": integer}',
  async handle({ limit, ...chosen }, context) {
    const { viewer, database } = context
    const read = await database.one(findRead, { viewer: viewer.id })
    const rows = await selectNotifications(context, viewer.id, chosen, { limit, since_id: read?.id })
    return { count: rows.length }
  },
})
