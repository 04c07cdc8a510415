import { Argument, type Command } from 'commander'
import { removePicture } from '../../accounts/index.ts'
import { rejectSignUp } from '../../auth/sign_up/index.ts'
import { changeUserAccess, memorialize } from '../../auth/user_access/index.ts'
import { deleteSuspended } from '../../moderation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { withCliError } from '../with_cli_error.ts'
import { findTarget, findUser } from './user.ts'

async function reject(context: CliContext, username: string): Promise<void> {
  const services = await context.services()
  const user = await findUser(services.database, username)
  if (user.approved) throw new CliError('The user does not wait for approval')
  await withCliError(rejectSignUp(services, null, user.id), 'No such account')
  context.print('OK')
}

async function resend(context: CliContext, username: string): Promise<void> {
  const { database } = await context.services()
  const user = await findUser(database, username)
  await changeUserAccess(database, null, user.id, { action: 'resend' })
  context.print('OK')
}

async function memorializeAccount(context: CliContext, username: string): Promise<void> {
  const { database } = await context.services()
  const user = await findUser(database, username)
  if (!(await memorialize(database, null, user.id))) throw new CliError('The account is a memorial already')
  context.print('OK')
}

async function purge(context: CliContext, acct: string): Promise<void> {
  const { database } = await context.services()
  const account = await findTarget(database, acct)
  const deletion = database.transaction(transaction => deleteSuspended(transaction, null, account))
  await withCliError(deletion, 'No such account').catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    throw new CliError('The account is not suspended, or its data are being deleted already', { cause: error })
  })
  context.print('OK, running servers delete the data')
}

async function removeAccountPicture(context: CliContext, acct: string, kind: 'avatar' | 'header'): Promise<void> {
  const { database } = await context.services()
  await withCliError(removePicture(database, null, await findTarget(database, acct), kind), 'No such account')
  context.print('OK')
}

/** Moderators' actions on accounts that come without a strike. */
export function addStaffActions(group: Command, context: CliContext): void {
  group
    .command('reject <username>')
    .description('reject a pending sign-up and delete the account')
    .action((username: string) => reject(context, username))
  group
    .command('resend <username>')
    .description('resend the confirmation e-mail')
    .action((username: string) => resend(context, username))
  group
    .command('memorialize <username>')
    .description('memorialize an account; this cannot be undone')
    .action((username: string) => memorializeAccount(context, username))
  group
    .command('purge <acct>')
    .description('delete the data of a suspended account before its 30 days are over')
    .action((acct: string) => purge(context, acct))
  group
    .command('remove-picture <acct>')
    .description('remove the avatar or the header of an account')
    .addArgument(new Argument('<picture>').choices(['avatar', 'header']))
    .action((acct: string, kind: 'avatar' | 'header') => removeAccountPicture(context, acct, kind))
}
