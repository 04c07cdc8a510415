import { c, query } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { toFilterStatus } from './filter.ts'
import { withinLimits } from './limits.ts'
import { findFilter } from './show.ts'

const findEntry = query('statuses/filters/own_status', { viewer: c.id, id: c.id }, { id: c.id, status_id: c.id })
const addQuery = query(
  'statuses/filters/add_status',
  { viewer: c.id, filter: c.id, status: c.nullable(c.id) },
  { id: c.nullable(c.id), exists: c.boolean, visible: c.boolean, events: c.events },
)
const removeQuery = query('statuses/filters/remove_status', { viewer: c.id, id: c.id }, { id: c.id, events: c.events })

const listEntries = operation({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/statuses',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'List the statuses of a filter',
  params: { filter_id: param.id() },
  returns: '[FilterStatus]',
  async handle({ filter_id: filter }, { viewer, database }) {
    const found = await findFilter(database, viewer.id, filter)
    return found.statuses.map(toFilterStatus)
  },
})

const addEntry = operation({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/statuses',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Add a status to a filter',
  params: { filter_id: param.id(), status_id: param.id({ optional: true, invalid: 'missing' }) },
  returns: 'FilterStatus',
  async handle({ filter_id: filter, status_id: status }, { viewer, database }) {
    const verdict = await withinLimits(database.one(addQuery, { viewer: viewer.id, filter, status: status ?? null }))
    if (!verdict) throw new ApiError('notFound')
    if (status === undefined || !verdict.exists) throw validationError('Status must exist')
    if (!verdict.visible) throw validationError('Status is invalid')
    if (verdict.id === null) throw validationError('Status has already been taken')
    return { id: verdict.id, status_id: status }
  },
})

const showEntry = operation({
  method: 'GET',
  path: '/api/v2/filters/statuses/:id',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'Show an entry of a status in a filter',
  params: { id: param.id() },
  returns: 'FilterStatus',
  async handle({ id }, { viewer, database }) {
    const found = await database.one(findEntry, { viewer: viewer.id, id })
    if (!found) throw new ApiError('notFound')
    return toFilterStatus(found)
  },
})

const removeEntry = operation({
  method: 'DELETE',
  path: '/api/v2/filters/statuses/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Remove a status from a filter',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(removeQuery, { viewer: viewer.id, id }))) throw new ApiError('notFound')
    return {}
  },
})

export const operations = [listEntries, addEntry, showEntry, removeEntry]
