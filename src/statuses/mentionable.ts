import { accountFragments, usernames } from '../accounts/index.ts'
import { relationships } from '../accounts/relationships/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import type { MentionedRow } from './resolve_references.ts'

/**
 * The accounts of this server with these usernames that the author may mention, in their order: by
 * the rules of statuses/compose.sql, which finds those of other servers. Nearly always needs no
 * query. A block that another process of this server stored counts when its event has come.
 */
export async function mentionableLocals(
  services: Services,
  author: Id,
  names: readonly string[],
): Promise<MentionedRow[]> {
  const [own, found] = await Promise.all([
    relationships(services).get(author),
    usernames(services).inOrder(names.map(name => name.toLowerCase())),
  ])
  const accounts = await accountFragments(services).inOrder(found.flatMap(account => account?.id ?? []))
  return accounts.flatMap(account =>
    account && !account.suspended && !account.pending && !own.blocks.has(account.id)
      ? { id: account.id, username: account.username, domain: null, url: null }
      : [],
  )
}
