import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { CheckRun } from './finding.ts'

const BATCH = { after: c.id, fix: c.boolean } as const
const RESULT = {
  last: c.nullable(c.id),
  checked: c.integer,
  findings: c.nullable(c.json<readonly { readonly id: string; readonly problem: string }[]>()),
  events: c.events,
} as const

const follows = query('cli/check/follows', BATCH, RESULT)
const endorsements = query('cli/check/endorsements', BATCH, RESULT)
const listMembers = query('cli/check/list_members', BATCH, RESULT)
const users = query('cli/check/users', { after: c.id }, RESULT)
const pendingUsers = query('cli/check/pending_users', BATCH, RESULT)
const invites = query('cli/check/invites', BATCH, RESULT)
const replies = query('cli/check/replies', BATCH, RESULT)
const threads = query('cli/check/threads', BATCH, RESULT)
const tagAuthors = query('cli/check/tag_authors', BATCH, RESULT)
const pins = query('cli/check/pins', BATCH, RESULT)
const quotes = query('cli/check/quotes', BATCH, RESULT)
const polls = query('cli/check/polls', BATCH, RESULT)
const conversations = query('cli/check/conversations', BATCH, RESULT)
const statusAttachments = query('cli/check/status_attachments', BATCH, RESULT)
const statusContents = query('cli/check/status_contents', BATCH, RESULT)
const notifications = query('cli/check/notifications', BATCH, RESULT)
const notificationGroups = query('cli/check/notification_groups', BATCH, RESULT)
const notificationRequests = query('cli/check/notification_requests', BATCH, RESULT)
const waitingEmails = query('cli/check/waiting_emails', BATCH, RESULT)
const statusCounters = query('cli/check/status_counters', BATCH, RESULT)
const accountCounters = query('cli/check/account_counters', BATCH, RESULT)

type Batch = Row<typeof RESULT>

interface RowCheck {
  /** The name of a row in reports: `status` in `status 12: …`. */
  readonly row: string
  readonly isFixable: boolean
  next(database: Database, after: Id, fix: boolean): Promise<Batch | undefined>
}

const fixableCheck = (row: string, statement: typeof follows): RowCheck => ({
  row,
  isFixable: true,
  next: (database, after, fix) => database.one(statement, { after, fix }),
})

const reportOnlyCheck = (row: string, statement: typeof users): RowCheck => ({
  row,
  isFixable: false,
  next: (database, after) => database.one(statement, { after }),
})

/**
 * The checks of rows by name, ordered so that fixing one does not invalidate an earlier one:
 * counters come after the rows that they count.
 */
export const ROW_CHECKS: Readonly<Record<string, RowCheck>> = {
  follows: fixableCheck('follow', follows),
  endorsements: fixableCheck('endorsement', endorsements),
  'list-members': fixableCheck('list', listMembers),
  users: reportOnlyCheck('account', users),
  'pending-users': fixableCheck('user', pendingUsers),
  invites: fixableCheck('invite', invites),
  replies: fixableCheck('status', replies),
  threads: fixableCheck('status', threads),
  'tag-authors': fixableCheck('status', tagAuthors),
  pins: fixableCheck('pin', pins),
  quotes: fixableCheck('quote', quotes),
  polls: fixableCheck('poll', polls),
  conversations: fixableCheck('conversation', conversations),
  'status-attachments': fixableCheck('status', statusAttachments),
  'status-contents': fixableCheck('status', statusContents),
  notifications: fixableCheck('notification', notifications),
  'notification-groups': fixableCheck('account', notificationGroups),
  'notification-requests': fixableCheck('notification request', notificationRequests),
  'waiting-emails': fixableCheck('waiting e-mail', waitingEmails),
  'status-counters': fixableCheck('status', statusCounters),
  'account-counters': fixableCheck('account', accountCounters),
}

/**
 * Checks all rows of one kind in batches; one statement checks and fixes a batch. A batch with
 * findings is checked again after that, since rows that change meanwhile may be skipped.
 */
export async function checkRows(
  database: Database,
  name: string,
  { row, isFixable, next }: RowCheck,
  run: CheckRun,
): Promise<void> {
  const fix = run.fix && isFixable
  for (let after: Id | null = '0'; after !== null;) {
    const batch: Batch | undefined = await next(database, after, fix)
    const findings = batch?.findings ?? []
    const left = fix && findings.length > 0 ? ((await next(database, after, false))?.findings ?? []) : findings
    const wrong = new Set(left.map(({ id }) => id))
    for (const { id, problem } of findings)
      run.report({ check: name, id, problem: `${row} ${id}: ${problem}`, mended: !wrong.has(id) })
    run.count(batch?.checked ?? 0)
    after = batch?.last ?? null
  }
}
