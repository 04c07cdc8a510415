import type { Command } from 'commander'
import { deactivateInvites, issueInvite, listIssuedInvites, revokeInvite } from '../auth/sign_up/invites/index.ts'
import { findUser } from './accounts/user.ts'
import { flag, wholeNumber } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import type { Id } from '../core/id.ts'

interface CreateOptions {
  maxUses?: number
  expiresIn?: number
  autofollow?: boolean
  comment?: string
}

async function create(context: CliContext, username: string, options: CreateOptions): Promise<void> {
  const { database, config } = await context.services()
  const user = await findUser(database, username)
  const code = await issueInvite(database, null, user.user_id, {
    maxUses: options.maxUses ?? null,
    lifetimeSeconds: options.expiresIn ?? null,
    autofollow: options.autofollow === true,
    comment: options.comment ?? null,
  })
  context.print(`${config.publicUrl}/invite/${code}`)
}

const PAGE_SIZE = 500

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows: string[][] = []
  for (let before: Id | undefined; ;) {
    const page = await listIssuedInvites(database, { before: before ?? null, limit: PAGE_SIZE })
    for (const invite of page)
      rows.push([
        invite.code,
        invite.username,
        `${invite.uses}/${invite.max_uses ?? '∞'}`,
        invite.usable ? (invite.expires_at?.toISOString() ?? 'never') : 'over',
        invite.comment ?? '',
      ])
    if (page.length < PAGE_SIZE) break
    before = page.at(-1)?.id
  }
  context.printTable(['CODE', 'BY', 'USED', 'EXPIRES', 'COMMENT'], rows)
}

async function revoke(context: CliContext, code: string | undefined, all: boolean): Promise<void> {
  const { database } = await context.services()
  if ((code === undefined) !== all) throw new CliError('Use either a code or --all')
  if (code === undefined) {
    context.print(`OK, ended ${await deactivateInvites(database, null, null)} invites`)
    return
  }
  if (!(await revokeInvite(database, null, code))) throw new CliError('No such invite')
  context.print('OK')
}

/** The commands on invites. */
export function addInvites(program: Command, context: CliContext): void {
  const group = program.command('invites').description('manage invite links')
  const createCommand = group
    .command('create <username>')
    .description('create an invite on behalf of a user')
    .option('--max-uses <n>', 'maximum number of uses', wholeNumber(1, 1_000_000))
    .option('--expires-in <seconds>', 'lifetime', wholeNumber(1, 2_147_483_647))
    .option('--comment <text>', 'a note')
  flag(createCommand, '--autofollow', 'make new users follow the inviter')
  createCommand.action((username: string, options: CreateOptions) => create(context, username, options))
  group
    .command('list')
    .description('list the newest invites')
    .action(() => list(context))
  flag(group.command('revoke [code]').description('revoke an invite'), '--all', 'revoke all invites').action(
    (code: string | undefined, { all }: { all?: boolean }) => revoke(context, code, all === true),
  )
}
