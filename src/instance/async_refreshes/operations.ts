import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'

const find = query(
  'instance/async_refreshes/find',
  { id: c.text },
  { id: c.nullable(c.text), finished: c.boolean, result_count: c.nullable(c.integer) },
)

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const showRefresh = operation({
  method: 'GET',
  path: '/api/v1_alpha/async_refreshes/:id',
  auth: 'user',
  scopes: ['read'],
  summary: 'Show the progress of background work, by the id in the header Mastodon-Async-Refresh',
  params: { id: param.string({ missing: 404 }) },
  returns: '{"async_refresh": AsyncRefresh}',
  async handle({ id }, { database }) {
    const found = UUID.test(id) ? await database.one(find, { id }) : undefined
    if (!found) throw new ApiError('routeNotFound')
    const status = found.finished ? 'finished' : 'running'
    return { async_refresh: { id: found.id, status, result_count: found.result_count } }
  },
})

export const operations = [showRefresh]
