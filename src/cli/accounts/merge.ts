import { c, query, type Database } from '../../platform/database/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { stripAt } from './user.ts'

const find = query(
  'cli/remote_account',
  { username: c.text, domain: c.text },
  { id: c.id, public_key: c.text, files: c.texts },
)
const mergeBoth = query(
  'cli/merge_accounts',
  { source: c.id, target: c.id, name: c.text },
  { entry: c.nullable(c.id), events: c.events },
)

export interface MergeOptions {
  force?: boolean
}

/** @throws CliError unless it is a known account of another server */
async function findRemote(database: Database, acct: string) {
  const [username = '', domain = ''] = stripAt(acct).split('@')
  const found = await database.one(find, { username, domain })
  if (!found) throw new CliError(`No such account (${acct})`)
  return found
}

/**
 * `accounts merge`: merges a remote account into another one, when the same person is known under
 * two addresses. @throws CliError
 */
export async function merge(context: CliContext, from: string, to: string, { force }: MergeOptions): Promise<void> {
  const { database, storage } = await context.services()
  const [source, target] = [await findRemote(database, from), await findRemote(database, to)]
  if (source.id === target.id) throw new CliError('Both are the same account')
  if (source.public_key !== target.public_key && !force)
    throw new CliError("Accounts don't have the same public key, might not be duplicates!\nOverride with --force")
  await database.one(mergeBoth, { source: source.id, target: target.id, name: `${stripAt(from)} → ${stripAt(to)}` })
  for (const key of source.files) await storage.remove(key)
  context.print('OK')
}
