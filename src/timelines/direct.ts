import { c, query } from '../platform/database/index.ts'
import { operation } from '../platform/http/operation.ts'
import { boundsOf, RANGE, renderTimeline } from './render.ts'

const COMMON = { viewer: c.id, max_id: c.id, limit: c.integer } as const

const newest = query('timelines/direct', { ...COMMON, since_id: c.id }, { id: c.id })
const above = query('timelines/direct_above', { ...COMMON, min_id: c.id }, { id: c.id })

/** Direct statuses from or to the caller, for clients older than conversations. */
export const directTimeline = operation({
  method: 'GET',
  path: '/api/v1/timelines/direct',
  auth: 'user',
  scopes: ['read:statuses'],
  params: RANGE,
  returns: '[Status]',
  summary: 'List direct statuses sent by or to the caller',
  handle(range, context) {
    const { database, viewer } = context
    return renderTimeline(context, range, async cut => {
      const { max_id, lower, above: isAbove } = boundsOf(cut)
      const params = { viewer: viewer.id, max_id, limit: cut.limit }
      const rows = isAbove
        ? (await database.run(above, { ...params, min_id: lower })).reverse()
        : await database.run(newest, { ...params, since_id: lower })
      return { ids: rows.map(row => row.id) }
    })
  },
})
