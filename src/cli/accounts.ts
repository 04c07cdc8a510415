import type { Command } from 'commander'
import { addStaffActions } from './accounts/staff.ts'
import { approve, type ApproveOptions } from './accounts/approve.ts'
import { backup } from './accounts/backup.ts'
import { cull, type CullOptions } from './accounts/cull.ts'
import { create, type CreateOptions } from './accounts/create.ts'
import { deleteUser, type DeleteOptions } from './accounts/delete.ts'
import { followAll, unfollowAll } from './accounts/follow.ts'
import { ACCOUNT_STATES, list, show, type ListOptions } from './accounts/list.ts'
import { merge, type MergeOptions } from './accounts/merge.ts'
import { migrate, type MigrateOptions } from './accounts/migrate.ts'
import { modify, type ModifyOptions } from './accounts/modify.ts'
import { prune, type PruneOptions } from './accounts/prune.ts'
import { refresh, type RefreshOptions } from './accounts/refresh.ts'
import { resetRelationships, type ResetOptions } from './accounts/reset_relationships.ts'
import { rotate, type RotateOptions } from './accounts/rotate.ts'
import { suspend } from './accounts/suspend.ts'
import { concurrency, flag, wholeNumber } from './flag.ts'
import type { CliContext } from './cli_context.ts'

function addCreate(group: Command, context: CliContext): void {
  const command = group
    .command('create <username>')
    .description('create an account with its user, without the checks of a sign-up')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', 'password; by default a random one, which is printed')
    .option('--role <name>', 'role, such as Owner')
  flag(command, '--confirmed', 'confirm the address at once, without an e-mail')
  flag(command, '--approve', 'approve the user even if sign-ups need approval')
  flag(command, '--reattach', 'create the user for an existing account without one')
  flag(command, '--force', 'with --reattach: delete the existing user of the account')
  command.action((username: string, options: CreateOptions) => create(context, username, options))
}

function addModify(group: Command, context: CliContext): void {
  const command = group
    .command('modify <username>')
    .description('change a user')
    .option('--email <address>', 'new address; it has to be confirmed, except with --confirm')
    .option('--role <name>', 'role, such as Moderator')
  flag(command, '--remove-role', 'remove the role')
  flag(command, '--confirm', 'confirm the address')
  flag(command, '--enable', 'let a disabled user sign in again')
  flag(command, '--disable', 'disable sign-in')
  flag(command, '--approve', 'approve a pending user')
  flag(command, '--disable-2fa', 'disable two-factor authentication')
  flag(command, '--reset-password', 'set a random password, end all sessions and revoke all tokens')
  command.action((username: string, options: ModifyOptions) => modify(context, username, options))
}

function addRefresh(group: Command, context: CliContext): void {
  const command = group
    .command('refresh [accts...]')
    .description('fetch accounts of other servers again, with their avatars and headers')
    .option('--domain <domain>', 'all accounts of this domain')
    .option('-c, --concurrency <n>', 'maximum concurrency', concurrency, 5)
  flag(command, '--all', 'all accounts')
  flag(command, '--dry-run', 'change nothing')
  flag(command, '-v, --verbose', 'print each account')
  command.action((accts: string[], options: RefreshOptions) => refresh(context, accts, options))
}

/** Maintenance of remote accounts, and key rotation. */
function addMaintenance(group: Command, context: CliContext): void {
  const cullCommand = group
    .command('cull [domains...]')
    .description('remove remote accounts, or those of the given domains, that no longer exist on their server')
    .option('-c, --concurrency <n>', 'maximum concurrency', concurrency, 5)
  flag(cullCommand, '--dry-run', 'change nothing')
  cullCommand.action((domains: string[], options: CullOptions) => cull(context, domains, options))
  const mergeCommand = group
    .command('merge <from> <to>')
    .description('merge a remote account into another one of the same person')
  flag(mergeCommand, '--force', 'even if their public keys differ')
  mergeCommand.action((from: string, to: string, options: MergeOptions) => merge(context, from, to, options))
  const pruneCommand = group
    .command('prune')
    .description('remove remote accounts without any relation to local accounts')
    .option('-c, --concurrency <n>', 'maximum concurrency', concurrency, 5)
  flag(pruneCommand, '--dry-run', 'change nothing')
  pruneCommand.action((options: PruneOptions) => prune(context, options))
  const rotateCommand = group
    .command('rotate [username]')
    .description('create a new key pair for an account and announce it to other servers, signed with the old one')
  flag(rotateCommand, '--all', 'all local accounts')
  rotateCommand.action((username: string | undefined, options: RotateOptions) => rotate(context, username, options))
}

/** The commands on accounts. */
export function addAccounts(program: Command, context: CliContext): void {
  const group = program.command('accounts').description('manage accounts: create, modify, approve, delete, follow')
  const listCommand = group
    .command('list')
    .description('list the newest local accounts: state, role, address, last sign-in')
    .option('--state <state>', ACCOUNT_STATES.join(', '))
    .option('--role <name>', 'only accounts with this role, such as Moderator')
    .option('-n, --number <n>', 'how many', wholeNumber(1), 50)
  flag(listCommand, '--all', 'all accounts')
  listCommand.action((options: ListOptions) => list(context, options))
  flag(group.command('show <username>'), '--json', 'print one JSON object')
    .description('show an account: e-mail, address, last sign-in, state, statuses')
    .action((username: string, options: { json?: boolean }) => show(context, username, options))
  addCreate(group, context)
  addModify(group, context)
  const deleteCommand = group
    .command('delete [username]')
    .description('delete a user and all data; the name stays reserved')
    .option('--email <address>', 'the user with this address')
  flag(deleteCommand, '--dry-run', 'change nothing')
  deleteCommand.action((username: string | undefined, options: DeleteOptions) => deleteUser(context, username, options))
  const approveCommand = group
    .command('approve [username]')
    .description('approve pending users')
    .option('-n, --number <n>', 'the users that have been pending longest', (text: string) => Number(text))
  flag(approveCommand, '--all', 'all accounts')
  approveCommand.action((username: string | undefined, options: ApproveOptions) => approve(context, username, options))
  group
    .command('backup <username>')
    .description("build an archive of a user's posts; an e-mail is sent when it is ready")
    .action((username: string) => backup(context, username))
  group
    .command('suspend <acct>')
    .description('suspend an account; its data is not deleted')
    .action((acct: string) => suspend(context, acct, true))
  group
    .command('unsuspend <acct>')
    .description('unsuspend an account')
    .action((acct: string) => suspend(context, acct, false))
  addStaffActions(group, context)
  addRefresh(group, context)
  addMaintenance(group, context)
  for (const [name, run, description] of [
    ['follow <username>', followAll, 'make all local accounts follow a local account'],
    ['unfollow <acct>', unfollowAll, 'make all local accounts unfollow an account: user or user@domain'],
  ] as const) {
    const command = group
      .command(name)
      .description(description)
      .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
    flag(command, '-v, --verbose', 'print intermediate counts')
    command.action((acct: string, options: { verbose?: boolean }) => run(context, acct, options.verbose === true))
  }
  const resetCommand = group
    .command('reset-relationships <username>')
    .description('remove the follows, the followers, or both of a local account')
  flag(resetCommand, '--follows', 'remove its follows')
  flag(resetCommand, '--followers', 'remove its followers')
  resetCommand.action((username: string, options: ResetOptions) => resetRelationships(context, username, options))
  const migrateCommand = group
    .command('migrate <username>')
    .description('move an account with its followers to another one that names it as an alias')
    .option('--target <acct>', 'the account to move to')
  flag(migrateCommand, '--replay', 'repeat the last move for the remaining followers')
  flag(migrateCommand, '--force', 'move even if the account redirects to another one')
  migrateCommand.action((username: string, options: MigrateOptions) => migrate(context, username, options))
}
