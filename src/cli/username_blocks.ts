import type { Command } from 'commander'
import {
  BLOCKED_USERNAME,
  blockUsername,
  changeUsernameBlock,
  listUsernameBlocks,
  unblockUsername,
} from '../moderation/username_blocks/index.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface AddOptions {
  contains?: boolean
  allowWithApproval?: boolean
}

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listUsernameBlocks(database)).map(block => [
    block.username,
    block.exact ? 'exact' : 'contains',
    block.allow_with_approval ? 'approval' : 'blocked',
  ])
  context.printTable(['NAME', 'MATCH', 'EFFECT'], rows)
}

async function addNames(context: CliContext, names: string[], options: AddOptions): Promise<void> {
  const invalid = names.find(name => !BLOCKED_USERNAME.test(name))
  if (invalid !== undefined) throw new CliError(`${invalid} must contain only letters, numbers and underscores`)
  const { database } = await context.services()
  let added = 0
  for (const username of names) {
    const block = {
      username,
      exact: options.contains !== true,
      allow_with_approval: options.allowWithApproval === true,
    }
    if (await blockUsername(database, null, block)) added += 1
    else context.print(`${username} is already blocked.`)
  }
  context.print(`Added ${added}, skipped ${names.length - added}`)
}

async function removeNames(context: CliContext, names: string[]): Promise<void> {
  const { database } = await context.services()
  let removed = 0
  for (const name of names) {
    if (await unblockUsername(database, null, name)) removed += 1
    else context.print(`${name} is not yet blocked.`)
  }
  context.print(`Removed ${removed}, skipped ${names.length - removed}`)
}

async function modify(context: CliContext, name: string, options: AddOptions): Promise<void> {
  const { database } = await context.services()
  const block = (await listUsernameBlocks(database)).find(
    listed => listed.username.toLowerCase() === name.toLowerCase(),
  )
  if (!block) throw new CliError(`${name} is not yet blocked.`)
  const { contains = !block.exact, allowWithApproval: withApproval = block.allow_with_approval } = options
  const changed = { username: block.username, exact: !contains, allow_with_approval: withApproval }
  await changeUsernameBlock(database, null, block.id, changed)
  context.print('OK')
}

/** The commands on blocked usernames. */
export function addUsernameBlocks(program: Command, context: CliContext): void {
  const group = program
    .command('username_blocks')
    .alias('username-blocks')
    .description('manage usernames that may not sign up')
  group
    .command('list')
    .description('list the blocked usernames')
    .action(() => list(context))
  const add = group.command('add <names...>').description('block usernames, also with digits in place of letters')
  flag(add, '--contains', 'also block usernames that contain them')
  flag(add, '--allow-with-approval', 'allow sign-ups with approval')
  add.action((names: string[], options: AddOptions) => addNames(context, names, options))
  group
    .command('modify <name>')
    .description('change the block of a username')
    .option('--contains', 'block usernames that contain it')
    .option('--no-contains', 'block only the exact username')
    .option('--allow-with-approval', 'allow sign-ups with approval')
    .option('--no-allow-with-approval', 'allow no sign-ups')
    .action((name: string, options: AddOptions) => modify(context, name, options))
  group
    .command('remove <names...>')
    .description('unblock usernames')
    .action((names: string[]) => removeNames(context, names))
}
