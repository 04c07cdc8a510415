import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { list, operation, param } from '../../platform/http/index.ts'
import { renderAnnouncements } from './render.ts'

const findPublished = query(
  'instance/announcements/published',
  { viewer: c.id },
  { id: c.id, read: c.boolean, reactions: c.texts },
)
const dismiss = query('instance/announcements/dismiss', { viewer: c.id, announcement: c.id }, { id: c.id })

export const showAnnouncements = operation({
  method: 'GET',
  path: '/api/v1/announcements',
  auth: 'user',
  scopes: [],
  summary: 'List announcements, earliest first',
  params: {},
  returns: '[Announcement]',
  async handle(_, context) {
    const { viewer, database } = context
    return list(await renderAnnouncements(context, viewer, await database.run(findPublished, { viewer: viewer.id })))
  },
})

/** Repeating it changes nothing. */
export const dismissAnnouncement = operation({
  method: 'POST',
  path: '/api/v1/announcements/:id/dismiss',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Mark an announcement as read',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(dismiss, { viewer: viewer.id, announcement: id }))) throw new ApiError('notFound')
    return {}
  },
})
