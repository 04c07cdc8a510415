import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Staff } from '../index.ts'

interface ReportReference {
  readonly id: Id
  readonly resolved: boolean
  readonly at: string
}

interface StrikeReference {
  readonly action: string
  readonly at: string
  readonly overruled: boolean
}

const detailsQuery = query(
  'administration/status_pages/details',
  { viewer: c.id, status: c.id },
  {
    id: c.id,
    account_id: c.id,
    handle: c.text,
    uri: c.nullable(c.text),
    url: c.nullable(c.text),
    local: c.boolean,
    visibility: c.visibility,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    created_at: c.timestamp,
    edited_at: c.nullable(c.timestamp),
    deleted_at: c.nullable(c.timestamp),
    in_reply_to_id: c.nullable(c.id),
    reblog_of_id: c.nullable(c.id),
    application: c.nullable(c.text),
    has_media: c.boolean,
    reports: c.json<ReportReference[]>(),
    strikes: c.json<StrikeReference[]>(),
  },
)
const versionsQuery = query(
  'administration/status_pages/versions',
  { status: c.id, limit: c.integer },
  {
    id: c.id,
    content: c.text,
    spoiler_text: c.text,
    sensitive: c.boolean,
    created_at: c.timestamp,
    poll: c.json<string[]>(),
    media: c.json<string[]>(),
  },
)
const threadQuery = query(
  'administration/status_pages/thread',
  { viewer: c.id, status: c.id, limit: c.integer },
  { id: c.id, is_reply: c.boolean },
)

/** The maximum number of versions, and of statuses above and below, on the page of a status. */
const MAX_ROWS = 40

/** Details of a status for staff, in addition to its entity. */
export type StatusDetails = Row<typeof detailsQuery.columns>

export type Version = Row<typeof versionsQuery.columns>

/** @throws ApiError notFound, also when staff may not see the status */
export async function findStatusDetails({ context, viewer }: Staff, status: Id): Promise<StatusDetails> {
  const row = await context.database.one(detailsQuery, { viewer: viewer.id, status })
  if (!row) throw new ApiError('notFound')
  return row
}

/** The versions of a status, newest first; empty if it was never edited. */
export const listVersions = (database: Database, status: Id): Promise<Version[]> =>
  database.run(versionsQuery, { status, limit: MAX_ROWS })

/** The ids of the ancestors of a status and of its direct replies, as far as staff may see them. */
export async function findThreadIds({ context, viewer }: Staff, status: Id): Promise<{ above: Id[]; below: Id[] }> {
  const rows = await context.database.run(threadQuery, { viewer: viewer.id, status, limit: MAX_ROWS })
  const idsOf = (isReply: boolean): Id[] => rows.filter(row => row.is_reply === isReply).map(({ id }) => id)
  return { above: idsOf(false), below: idsOf(true) }
}
