import { c, query, type Row } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'

/** The timelines with a stored reading position. */
const TIMELINES = ['home', 'notifications'] as const

const columns = { timeline: c.text, last_read_id: c.id, version: c.integer, updated_at: c.timestamp } as const
const readMarkers = query('timelines/markers/read', { viewer: c.id, timelines: c.texts }, columns)
const saveMarkers = query('timelines/markers/save', { viewer: c.id, timelines: c.texts, ids: c.ids }, columns)

/** The entities Marker, by timeline. */
const render = (rows: readonly Row<typeof columns>[]): object =>
  Object.fromEntries(rows.map(({ timeline, ...marker }) => [timeline, marker]))

const showMarkers = operation({
  method: 'GET',
  path: '/api/v1/markers',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'Show how far the caller has read timelines',
  params: { timeline: param.strings({ default: [], scalar: true, enum: TIMELINES, unknown: 'drop' }) },
  returns: 'hash<Marker>',
  handle: async ({ timeline }, { viewer, database }) =>
    render(await database.run(readMarkers, { viewer: viewer.id, timelines: [...timeline] })),
})

const position = param.object(
  { last_read_id: param.string({ optional: true, label: 'Last read' }) },
  { optional: true, description: 'the last read id' },
)

/** The id need not exist: 0 is before everything. */
function parsePosition(text: string): Id {
  if (!/^[0-9]{1,19}$/.test(text) || BigInt(text) > 9223372036854775807n) throw validationError('Last read is invalid')
  return text
}

const moveMarkers = operation({
  method: 'POST',
  path: '/api/v1/markers',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Save how far the caller has read timelines',
  params: { home: position, notifications: position },
  returns: 'hash<Marker>',
  async handle(parameters, { viewer, database }) {
    const moved = TIMELINES.flatMap(timeline => {
      const id = parameters[timeline]?.last_read_id
      return id === undefined || id === '' ? [] : { timeline, id: parsePosition(id) }
    })
    if (moved.length === 0) return {}
    return database.transaction(async transaction => {
      const timelines = moved.map(({ timeline }) => timeline)
      const rows = await transaction.run(saveMarkers, { viewer: viewer.id, timelines, ids: moved.map(({ id }) => id) })
      if (rows.length < moved.length) throw new ApiError('conflict')
      return render(rows)
    })
  },
})

export const operations = [showMarkers, moveMarkers]
