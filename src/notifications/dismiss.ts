import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { operation, param } from '../platform/http/index.ts'
import { ungroupedId } from './group_key.ts'

const findNewest = query('notifications/newest', { viewer: c.id }, { id: c.id })
const clear = query(
  'notifications/clear',
  { viewer: c.id, up_to: c.id, limit: c.integer },
  { amount: c.integer, events: c.events },
)
const dismiss = query('notifications/dismiss', { viewer: c.id, notification: c.id }, { id: c.id, events: c.events })
const dismissGroup = query(
  'notifications/dismiss_group',
  { viewer: c.id, group_key: c.text, up_to: c.id, limit: c.integer },
  { amount: c.integer, events: c.events },
)

/** Deleted in one statement, small enough not to block others. */
const BATCH_SIZE = 2000

/** Notifications that arrive in the meantime stay. */
export const clearNotifications = operation({
  method: 'POST',
  path: ['/api/v1/notifications/clear', '/api/v2/notifications/clear'],
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Delete all notifications of the caller',
  params: {},
  returns: '{}',
  async handle(_, { viewer, database }) {
    const newest = await database.one(findNewest, { viewer: viewer.id })
    if (!newest) return {}
    const batch = { viewer: viewer.id, up_to: newest.id, limit: BATCH_SIZE }
    while ((await database.one(clear, batch))?.amount === BATCH_SIZE);
    return {}
  },
})

export const dismissNotification = operation({
  method: 'POST',
  path: '/api/v1/notifications/:id/dismiss',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Delete one notification of the caller',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(dismiss, { viewer: viewer.id, notification: id }))) throw new ApiError('notFound')
    return {}
  },
})

/** The legacy path, before the id was part of it. */
export const dismissByBody = operation({
  method: 'POST',
  path: '/api/v1/notifications/dismiss',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Dismiss a notification by an id in the body',
  params: {},
  returns: '{}',
  handle() {
    throw new ApiError('notFound')
  },
})

/** Notifications that join the group in the meantime stay. An unknown key changes nothing. */
export const dismissNotificationGroup = operation({
  method: 'POST',
  path: '/api/v2/notifications/:group_key/dismiss',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Delete a group of notifications of the caller',
  params: { group_key: param.string({ missing: 404 }) },
  returns: '{}',
  async handle({ group_key }, { viewer, database }) {
    const alone = ungroupedId(group_key)
    if (alone !== undefined) {
      await database.one(dismiss, { viewer: viewer.id, notification: alone })
      return {}
    }
    const newest = await database.one(findNewest, { viewer: viewer.id })
    if (!newest) return {}
    const batch = { viewer: viewer.id, group_key, up_to: newest.id, limit: BATCH_SIZE }
    while ((await database.one(dismissGroup, batch))?.amount === BATCH_SIZE);
    return {}
  },
})
