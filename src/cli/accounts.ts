import type { Command } from 'commander'
import { addStaffActions } from './accounts/staff.ts'
import { approve, type ApproveOptions } from './accounts/approve.ts'
import { backup } from './accounts/backup.ts'
import { cull, type CullOptions } from './accounts/cull.ts'
import { create, type CreateOptions } from './accounts/create.ts'
import { deleteUser, type DeleteOptions } from './accounts/delete.ts'
import { followAll, unfollowAll } from './accounts/follow.ts'
import { ACCOUNT_STATES, list, show, type ListOptions } from './accounts/list.ts'
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
    .option('--password <password>', 'instead of a random one that is printed')
    .option('--role <name>', 'role, such as Owner')
  flag(command, '--confirmed', 'the address is confirmed at once, no mail is sent')
  flag(command, '--approve', 'approved even if sign-ups are reviewed')
  flag(command, '--reattach', 'make the user for an existing account that has none')
  flag(command, '--force', 'with --reattach: delete the user that the account has')
  command.action((username: string, options: CreateOptions) => create(context, username, options))
}

function addModify(group: Command, context: CliContext): void {
  const command = group
    .command('modify <username>')
    .description('change a user')
    .option('--email <address>', 'new address; it has to be confirmed, unless with --confirm')
    .option('--role <name>', 'role, such as Moderator')
  flag(command, '--remove-role', 'remove the role')
  flag(command, '--confirm', 'confirm the address')
  flag(command, '--enable', 'let a disabled user sign in again')
  flag(command, '--disable', 'disable sign-in')
  flag(command, '--approve', 'approve a pending user')
  flag(command, '--disable-2fa', 'disable two-factor authentication')
  flag(command, '--reset-password', 'set a random password and end everything that is signed in')
  command.action((username: string, options: ModifyOptions) => modify(context, username, options))
}

function addRefresh(group: Command, context: CliContext): void {
  const command = group
    .command('refresh [accts...]')
    .description('fetch accounts of other servers again, with their avatars and headers')
    .option('--domain <domain>', 'all of this domain')
    .option('-c, --concurrency <n>', 'how many at once', concurrency, 5)
  flag(command, '--all', 'all of them')
  flag(command, '--dry-run', 'change nothing')
  flag(command, '-v, --verbose', 'name each account')
  command.action((accts: string[], options: RefreshOptions) => refresh(context, accts, options))
}

/** What accounts of other servers need from time to time, and the keys of local ones. */
function addMaintenance(group: Command, context: CliContext): void {
  const cullCommand = group
    .command('cull [domains...]')
    .description('remove accounts of other servers, or of these, that their server does not know any more')
    .option('-c, --concurrency <n>', 'how many at once', concurrency, 5)
  flag(cullCommand, '--dry-run', 'change nothing')
  cullCommand.action((domains: string[], options: CullOptions) => cull(context, domains, options))
  const pruneCommand = group
    .command('prune')
    .description('remove accounts of other servers that have no relation to anybody here')
    .option('-c, --concurrency <n>', 'how many at once', concurrency, 5)
  flag(pruneCommand, '--dry-run', 'change nothing')
  pruneCommand.action((options: PruneOptions) => prune(context, options))
  const rotateCommand = group
    .command('rotate [username]')
    .description('make a new key pair for an account, and announce it to other servers, signed with the old one')
  flag(rotateCommand, '--all', 'of all local accounts')
  rotateCommand.action((username: string | undefined, options: RotateOptions) => rotate(context, username, options))
}

/** Local accounts. */
export function addAccounts(program: Command, context: CliContext): void {
  const group = program.command('accounts').description('people: create, modify, approve, delete, follow')
  const listCommand = group
    .command('list')
    .description('the newest local accounts: state, role, address, last sign-in')
    .option('--state <state>', ACCOUNT_STATES.join(', '))
    .option('--role <name>', 'with this role, such as Moderator')
    .option('-n, --number <n>', 'how many', wholeNumber(1), 50)
  flag(listCommand, '--all', 'all of them')
  listCommand.action((options: ListOptions) => list(context, options))
  flag(group.command('show <username>'), '--json', 'as one JSON object')
    .description('one account: e-mail, address, last sign-in, state, statuses')
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
    .description('approve users that wait for it')
    .option('-n, --number <n>', 'the longest waiting users', (text: string) => Number(text))
  flag(approveCommand, '--all', 'all of them')
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
    .description('bring a suspended account back')
    .action((acct: string) => suspend(context, acct, false))
  addStaffActions(group, context)
  addRefresh(group, context)
  addMaintenance(group, context)
  for (const [name, run, description] of [
    ['follow <username>', followAll, 'let all local accounts follow a local one'],
    ['unfollow <acct>', unfollowAll, 'let all local accounts unfollow an account: user or user@domain'],
  ] as const) {
    const command = group
      .command(name)
      .description(description)
      .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
    flag(command, '-v, --verbose', 'print how many, from time to time')
    command.action((acct: string, options: { verbose?: boolean }) => run(context, acct, options.verbose === true))
  }
  const resetCommand = group
    .command('reset-relationships <username>')
    .description('end the follows by a local account, of it, or both')
  flag(resetCommand, '--follows', 'whom it follows')
  flag(resetCommand, '--followers', 'who follows it')
  resetCommand.action((username: string, options: ResetOptions) => resetRelationships(context, username, options))
  const migrateCommand = group
    .command('migrate <username>')
    .description('move an account with its followers to another one that names it as an alias')
    .option('--target <acct>', 'where to')
  flag(migrateCommand, '--replay', 'repeat the last move, for followers that were left')
  flag(migrateCommand, '--force', 'also when the account redirects elsewhere')
  migrateCommand.action((username: string, options: MigrateOptions) => migrate(context, username, options))
}
