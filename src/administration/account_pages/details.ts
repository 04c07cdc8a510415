import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Staff } from '../index.ts'

interface UsedIp {
  readonly ip: string
  readonly used_at: string
}

const detailsQuery = query(
  'administration/account_pages/details',
  { viewer: c.id, account: c.id },
  {
    id: c.id,
    handle: c.text,
    domain: c.nullable(c.text),
    created_at: c.timestamp,
    memorial: c.boolean,
    suspended_at: c.nullable(c.timestamp),
    silenced_at: c.nullable(c.timestamp),
    sensitized_at: c.nullable(c.timestamp),
    deletion_requested_at: c.nullable(c.timestamp),
    has_avatar: c.boolean,
    has_header: c.boolean,
    outranks: c.boolean,
    user_id: c.nullable(c.id),
    email: c.nullable(c.text),
    unconfirmed_email: c.nullable(c.text),
    confirmed: c.boolean,
    approved: c.boolean,
    disabled: c.boolean,
    second_factor: c.boolean,
    role_id: c.nullable(c.id),
    locale: c.nullable(c.text),
    sign_up_reason: c.nullable(c.text),
    current_sign_in_at: c.nullable(c.timestamp),
    last_active_at: c.nullable(c.timestamp),
    application: c.nullable(c.text),
    invited_by: c.nullable(c.id),
    reports_about: c.integer,
    reports_by: c.integer,
    email_subscribers: c.integer,
    ips: c.json<UsedIp[]>(),
  },
)
const strikesQuery = query(
  'administration/account_pages/strikes',
  { account: c.id },
  {
    id: c.id,
    action: c.text,
    text: c.text,
    report_id: c.nullable(c.id),
    status_ids: c.nullable(c.ids),
    created_at: c.timestamp,
    overruled: c.boolean,
    moderator: c.nullable(c.text),
    appeal: c.nullable(c.text),
  },
)
const invitesQuery = query(
  'administration/account_pages/invites',
  { account: c.id },
  {
    id: c.id,
    code: c.text,
    uses: c.integer,
    max_uses: c.nullable(c.integer),
    expires_at: c.nullable(c.timestamp),
    created_at: c.timestamp,
  },
)
const statusesQuery = query(
  'administration/account_pages/statuses',
  {
    viewer: c.id,
    account: c.id,
    media: c.boolean,
    max_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { id: c.id },
)
const shownQuery = query('administration/account_pages/shown_statuses', { viewer: c.id, ids: c.ids }, { id: c.id })

/** Details of an account for staff, in addition to its profile. */
export type AccountDetails = Row<typeof detailsQuery.columns>

/** @throws ApiError notFound */
export async function findAccountDetails({ context, viewer }: Staff, account: Id): Promise<AccountDetails> {
  const row = await context.database.one(detailsQuery, { viewer: viewer.id, account })
  if (!row) throw new ApiError('notFound')
  return row
}

/** The latest strikes of an account, newest first. */
export const listStrikes = (database: Database, account: Id): Promise<Row<typeof strikesQuery.columns>[]> =>
  database.run(strikesQuery, { account })

/** The latest invites of an account's user, newest first. */
export const listInvites = (database: Database, account: Id) => database.run(invitesQuery, { account })

export interface StatusesRange {
  readonly media: boolean
  readonly max_id?: Id | undefined
  readonly min_id?: Id | undefined
  readonly limit: number
}

/** The statuses of an account that staff may see, newest first. */
export const listStatuses = (
  { context, viewer }: Staff,
  account: Id,
  { media, max_id, min_id, limit }: StatusesRange,
): Promise<{ id: Id }[]> =>
  context.database.run(statusesQuery, {
    viewer: viewer.id,
    account,
    media,
    max_id: max_id ?? null,
    min_id: min_id ?? null,
    limit,
  })

/** Those of these statuses that staff may see. */
export async function shownStatuses({ context, viewer }: Staff, ids: readonly Id[]): Promise<Id[]> {
  const rows = await context.database.run(shownQuery, { viewer: viewer.id, ids: [...ids] })
  return rows.map(({ id }) => id)
}
