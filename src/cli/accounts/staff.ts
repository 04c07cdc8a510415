import { Argument, type Command } from 'commander'
import { removePicture } from '../../accounts/index.ts'
import { rejectSignUp } from '../../auth/sign_up/index.ts'
import { changeUserAccess, memorialize } from '../../auth/user_access/index.ts'
import { deleteSuspended } from '../../moderation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { explained } from '../explained.ts'
import { findTarget, findUser } from './user.ts'

async function reject(session: CliContext, username: string): Promise<void> {
  const services = await session.services()
  const user = await findUser(services.database, username)
  if (user.approved) throw new CliError('The user does not wait for approval')
  await explained(rejectSignUp(services, null, user.id), 'No such account')
  session.print('OK')
}

async function resend(session: CliContext, username: string): Promise<void> {
  const { database } = await session.services()
  const user = await findUser(database, username)
  await changeUserAccess(database, null, user.id, { action: 'resend' })
  session.print('OK')
}

async function makeMemorial(session: CliContext, username: string): Promise<void> {
  const { database } = await session.services()
  const user = await findUser(database, username)
  if (!(await memorialize(database, null, user.id))) throw new CliError('The account is a memorial already')
  session.print('OK')
}

async function purge(session: CliContext, acct: string): Promise<void> {
  const { database } = await session.services()
  const account = await findTarget(database, acct)
  const purging = database.transaction(transaction => deleteSuspended(transaction, null, account))
  await explained(purging, 'No such account').catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    throw new CliError('The account is not suspended, or its data are being deleted already', { cause: error })
  })
  session.print('OK, running servers delete the data')
}

async function removeOne(session: CliContext, acct: string, kind: 'avatar' | 'header'): Promise<void> {
  const { database } = await session.services()
  await explained(removePicture(database, null, await findTarget(database, acct), kind), 'No such account')
  session.print('OK')
}

/** What moderators do with accounts beside strikes. */
export function addStaffActions(group: Command, session: CliContext): void {
  group
    .command('reject <username>')
    .description('reject a sign-up that waits for approval: the account is deleted')
    .action((username: string) => reject(session, username))
  group
    .command('resend <username>')
    .description('send the e-mail that confirms the address again')
    .action((username: string) => resend(session, username))
  group
    .command('memorialize <username>')
    .description('make the account the memorial of somebody who has died; it cannot be undone')
    .action((username: string) => makeMemorial(session, username))
  group
    .command('purge <acct>')
    .description('delete the data of a suspended account before its 30 days are over')
    .action((acct: string) => purge(session, acct))
  group
    .command('remove-picture <acct>')
    .description('remove the avatar or the header of an account')
    .addArgument(new Argument('<picture>').choices(['avatar', 'header']))
    .action((acct: string, kind: 'avatar' | 'header') => removeOne(session, acct, kind))
}
