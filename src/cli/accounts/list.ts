import { c, query, type Row } from '../../platform/database/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { stripAt } from './user.ts'
import { formatTime } from '../format_time.ts'

const listAccounts = query(
  'cli/list_accounts',
  { username: c.nullable(c.text), state: c.nullable(c.text), role: c.nullable(c.text), limit: c.nullable(c.integer) },
  {
    id: c.id,
    username: c.text,
    email: c.nullable(c.text),
    state: c.text,
    role: c.nullable(c.text),
    created_at: c.timestamp,
    last_sign_in_at: c.nullable(c.timestamp),
    last_ip: c.nullable(c.text),
    second_factor: c.boolean,
    statuses: c.integer,
    followers: c.integer,
    reason: c.nullable(c.text),
  },
)

type AccountRow = Row<typeof listAccounts.columns>

/** The states of a local account; the first that applies is shown. */
export const ACCOUNT_STATES = ['suspended', 'disabled', 'unconfirmed', 'pending', 'active', 'without_user'] as const

export interface ListOptions {
  state?: string
  role?: string
  number: number
  all?: boolean
}

/** `accounts list`: the newest local accounts. @throws CliError */
export async function list(context: CliContext, options: ListOptions): Promise<void> {
  const { state, role, number, all } = options
  if (state !== undefined && !ACCOUNT_STATES.some(candidate => candidate === state))
    throw new CliError(`State must be one of ${ACCOUNT_STATES.join(', ')}`)
  const { database } = await context.services()
  const rows = await database.run(listAccounts, {
    username: null,
    state: state ?? null,
    role: role ?? null,
    limit: all ? null : number,
  })
  context.printTable(
    ['NAME', 'STATE', 'ROLE', 'E-MAIL', 'CREATED (UTC)', 'LAST SIGN-IN (UTC)', 'ADDRESS', 'STATUSES'],
    rows.map(row => [
      row.username,
      row.state,
      row.role ?? '',
      row.email ?? '',
      formatTime(row.created_at),
      formatTime(row.last_sign_in_at),
      row.last_ip ?? '',
      String(row.statuses),
    ]),
  )
}

const FIELDS: readonly (readonly [string, (row: AccountRow) => string])[] = [
  ['Name', row => row.username],
  ['Id', row => row.id],
  ['State', row => row.state],
  ['Role', row => row.role ?? ''],
  ['E-mail', row => row.email ?? ''],
  ['Created (UTC)', row => formatTime(row.created_at)],
  ['Last sign-in (UTC)', row => formatTime(row.last_sign_in_at)],
  ['Address', row => row.last_ip ?? ''],
  ['Second factor', row => (row.second_factor ? 'on' : 'off')],
  ['Statuses', row => String(row.statuses)],
  ['Followers', row => String(row.followers)],
  ['Reason to join', row => row.reason?.replace(/\s+/g, ' ') ?? ''],
]

/** `accounts show`: one local account. @throws CliError */
export async function show(context: CliContext, username: string, { json }: { json?: boolean }): Promise<void> {
  const { database } = await context.services()
  const parameters = { username: stripAt(username), state: null, role: null, limit: 1 }
  const row = await database.one(listAccounts, parameters)
  if (!row) throw new CliError('No such account')
  if (json) return context.print(JSON.stringify(row, null, 2))
  for (const [name, format] of FIELDS) context.print(`${`${name}:`.padEnd(20)}${format(row) || '-'}`)
}
