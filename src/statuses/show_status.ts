import { c, query } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { list } from '../platform/http/response.ts'
import { operation } from '../platform/http/operation.ts'
import { param } from '../platform/http/param/index.ts'
import { respondWithStatus, statusMissing, STATUS_ID } from './status_response.ts'
import { renderStatuses } from './render.ts'
import { findVisible } from './visible.ts'

const MAX_AT_ONCE = 20

const findListed = query('statuses/listed', { viewer: c.nullable(c.id), ids: c.ids }, { id: c.id })
const findSource = query(
  'statuses/source',
  { viewer: c.nullable(c.id), status: c.id },
  { id: c.id, text: c.text, spoiler_text: c.text },
)

export const showStatus = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: () => [],
  summary: 'Show a status',
  params: { id: STATUS_ID },
  returns: 'Status',
  async handle({ id }, context) {
    // With a viewer, rendering checks the visibility; without one, the query does.
    if (!context.viewer && !(await findVisible(context, null, id))) throw statusMissing()
    return respondWithStatus(context, id)
  },
})

export const showStatuses = operation({
  method: 'GET',
  path: '/api/v1/statuses',
  auth: 'optional',
  scopes: ['read:statuses'],
  summary: 'Show several statuses; those that the caller may not see are left out',
  params: { id: param.ids({ default: [], scalar: true, description: `at most ${MAX_AT_ONCE}` }) },
  returns: '[Status]',
  async handle({ id: ids }, context) {
    if (ids.length > MAX_AT_ONCE) throw new ApiError('validation', { message: 'Mastodon::ValidationError' })
    if (ids.length === 0) return []
    const { viewer, database } = context
    const rows = await database.run(findListed, { viewer: viewer?.id ?? null, ids: [...ids] })
    const rendered = await renderStatuses(
      context,
      viewer,
      rows.map(row => row.id),
    )
    return list([...rendered.values()])
  },
})

export const showSource = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/source',
  auth: 'app',
  scopes: ['read:statuses'],
  summary: 'Show the source text of a status',
  params: { id: STATUS_ID },
  returns: 'StatusSource',
  async handle({ id }, { viewer, database }) {
    const row = await database.one(findSource, { viewer: viewer?.id ?? null, status: id })
    if (!row) throw statusMissing()
    return row
  },
})
