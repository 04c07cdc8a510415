import type { Command } from 'commander'
import { blockUsername, listUsernameBlocks, unblockUsername } from '../moderation/username_blocks/index.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

interface AddOptions {
  contains?: boolean
  allowWithApproval?: boolean
}

const FORM = /^\w{1,30}$/

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await listUsernameBlocks(database)).map(block => [
    block.username,
    block.exact ? 'exact' : 'contains',
    block.allow_with_approval ? 'approval' : 'blocked',
  ])
  for (const line of table(['NAME', 'MATCH', 'EFFECT'], rows)) session.print(line)
}

async function addNames(session: CliContext, names: string[], options: AddOptions): Promise<void> {
  const wrong = names.find(name => !FORM.test(name))
  if (wrong !== undefined) throw new CliError(`${wrong} must contain only letters, numbers and underscores`)
  const { database } = await session.services()
  let added = 0
  for (const username of names) {
    const block = {
      username,
      exact: options.contains !== true,
      allow_with_approval: options.allowWithApproval === true,
    }
    if (await blockUsername(database, block)) added += 1
    else session.print(`${username} is already blocked.`)
  }
  session.print(`Added ${added}, skipped ${names.length - added}`)
}

async function removeNames(session: CliContext, names: string[]): Promise<void> {
  const { database } = await session.services()
  let removed = 0
  for (const name of names) {
    if (await unblockUsername(database, name)) removed += 1
    else session.print(`${name} is not yet blocked.`)
  }
  session.print(`Removed ${removed}, skipped ${names.length - removed}`)
}

/** Usernames that may not sign up. */
export function addUsernameBlocks(program: Command, session: CliContext): void {
  const group = program
    .command('username_blocks')
    .alias('username-blocks')
    .description('usernames that may not sign up')
  group
    .command('list')
    .description('every blocked name')
    .action(() => list(session))
  const add = group.command('add <names...>').description('block names, also with digits in place of letters')
  flag(add, '--contains', 'also names that contain them')
  flag(add, '--allow-with-approval', 'let people in, but only with approval')
  add.action((names: string[], options: AddOptions) => addNames(session, names, options))
  group
    .command('remove <names...>')
    .description('no longer block names')
    .action((names: string[]) => removeNames(session, names))
}
