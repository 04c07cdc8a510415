import { mergeAccounts, type MergeObstacle } from '../../moderation/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { stripAt } from './user.ts'

export interface MergeOptions {
  force?: boolean
}

const FAULTS: Readonly<Record<MergeObstacle, (from: string, to: string) => string>> = {
  unknown_source: from => `No such account (${from})`,
  unknown_target: (_, to) => `No such account (${to})`,
  same_account: () => 'Both are the same account',
  other_key: () => "Accounts don't have the same public key, might not be duplicates!\nOverride with --force",
}

/**
 * `accounts merge`: merges a remote account into another one, when the same person is known under
 * two addresses. @throws CliError
 */
export async function merge(context: CliContext, from: string, to: string, { force }: MergeOptions): Promise<void> {
  const merged = { from: stripAt(from), to: stripAt(to), force: force === true, moderator: null }
  const obstacle = await mergeAccounts(await context.services(), merged)
  if (obstacle !== undefined) throw new CliError(FAULTS[obstacle](from, to))
  context.print('OK')
}
