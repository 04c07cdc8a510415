import { Argument, type Command } from 'commander'
import type { Database } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { parseId, type Id } from '../core/id.ts'
import {
  ACCOUNT_ACTIONS,
  actOnAccount,
  actOnStatuses,
  changeAccountState,
  findWarningPreset,
  messageOf,
  REVERSALS,
  STATUS_ACTIONS,
  type AccountAction,
  type Reason,
  type Reversal,
  type StatusAction,
  type WarningPreset,
} from '../moderation/index.ts'
import { findTarget } from './accounts/user.ts'
import { CliError } from './cli_error.ts'
import { findReport } from './reports.ts'
import type { CliContext } from './cli_context.ts'

interface ActOptions {
  text?: string
  preset?: string
  report?: string
  notify: boolean
}

async function findPreset(database: Database, text: string): Promise<WarningPreset> {
  const id = parseId(text)
  const preset = id === undefined ? undefined : await findWarningPreset(database, id)
  if (!preset) throw new CliError('No such warning preset')
  return preset
}

async function parseReason(database: Database, { text = '', preset, report, notify }: ActOptions): Promise<Reason> {
  const reportRow = report === undefined ? null : await findReport(database, report)
  const presetRow = preset === undefined ? undefined : await findPreset(database, preset)
  return { moderator: null, text: messageOf(presetRow, text), notifies: notify, report: reportRow && reportRow.id }
}

async function act(context: CliContext, acct: string, action: AccountAction, options: ActOptions): Promise<void> {
  const services = await context.services()
  const account = await findTarget(services.database, acct)
  const strike = await actOnAccount(services, account, action, await parseReason(services.database, options))
  context.print(strike === undefined ? 'A moderator has just done the same' : 'OK')
}

async function undo(context: CliContext, acct: string, reversal: Reversal): Promise<void> {
  const { database } = await context.services()
  const account = await findTarget(database, acct)
  await database.transaction(transaction => changeAccountState(transaction, null, account, reversal))
  context.print('OK')
}

interface StatusesOptions extends ActOptions {
  statuses: string[]
}

async function actOnStatusesOf(
  context: CliContext,
  acct: string,
  action: StatusAction,
  options: StatusesOptions,
): Promise<void> {
  const services = await context.services()
  const ids = options.statuses.map((text): Id => {
    const id = parseId(text)
    if (id === undefined) throw new CliError(`No such status: ${text}`)
    return id
  })
  const account = await findTarget(services.database, acct)
  const reason = await parseReason(services.database, options)
  try {
    await actOnStatuses(services, account, action, ids, reason)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'notFound') throw error
    throw new CliError('None of these are statuses of the account that the action would change', { cause: error })
  }
  context.print('OK')
}

const addReasonOptions = (command: Command): Command =>
  command
    .option('--text <text>', 'message to the account')
    .option('--preset <id>', 'warning preset whose text precedes the message')
    .option('--report <id>', 'report that led to the action')
    .option('--no-notify', 'send no notification and no e-mail')

/** The commands of moderation actions. */
export function addModeration(program: Command, context: CliContext): void {
  const group = program.command('moderation').description('take action on accounts and statuses, as a moderator')
  addReasonOptions(
    group
      .command('act <acct>')
      .description('take action on an account, with a strike; its open reports are resolved')
      .addArgument(new Argument('<action>', 'action; none only warns').choices(ACCOUNT_ACTIONS)),
  ).action((acct: string, action: AccountAction, options: ActOptions) => act(context, acct, action, options))
  group
    .command('undo <acct>')
    .description('undo an action')
    .addArgument(new Argument('<reversal>').choices(REVERSALS))
    .action((acct: string, reversal: Reversal) => undo(context, acct, reversal))
  addReasonOptions(
    group
      .command('statuses <acct>')
      .description('take action on statuses of an account, with a strike')
      .addArgument(new Argument('<action>').choices(STATUS_ACTIONS))
      .argument('<ids...>', 'the statuses'),
  ).action((acct: string, action: StatusAction, statuses: string[], options: ActOptions) =>
    actOnStatusesOf(context, acct, action, { ...options, statuses }),
  )
}
