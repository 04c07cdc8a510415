import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { foreignDomain } from './handle.ts'
import { recognise, tagUrl, type FormatContext, type MentionedAccount } from '../core/text/index.ts'

const byHandles = query(
  'accounts/by_handles',
  { usernames: c.texts, domains: c.texts },
  { id: c.id, username: c.text, domain: c.nullable(c.text), url: c.nullable(c.text) },
)

const keyOf = (username: string, domain: string | null): string =>
  `${username.toLowerCase()}@${domain?.toLowerCase() ?? ''}`

/** An account mentioned in a text. */
export interface NamedAccount extends MentionedAccount {
  readonly id: Id
}

/**
 * Looks up the mentionable accounts by the handles in texts; this server's domain counts as none.
 */
async function findNamed(services: Services, texts: readonly string[]): Promise<Map<string, NamedAccount>> {
  const { database, config } = services
  const mentioned = new Map<string, { username: string; domain: string }>()
  for (const entity of texts.flatMap(text => recognise(text))) {
    if (entity.kind !== 'mention') continue
    const domain = foreignDomain(services, entity.domain)
    mentioned.set(keyOf(entity.username, domain), { username: entity.username, domain: domain ?? '' })
  }
  const found = new Map<string, NamedAccount>()
  if (mentioned.size === 0) return found
  const usernames = [...mentioned.values()].map(({ username }) => username)
  const domains = [...mentioned.values()].map(({ domain }) => domain)
  for (const { id, username, domain, url } of await database.run(byHandles, { usernames, domains })) {
    found.set(keyOf(username, domain), { id, username, domain, url: url ?? `${config.publicUrl}/@${username}` })
  }
  return found
}

/** The accounts mentioned in a text, without duplicates. */
export const mentionedIn = async (services: Services, text: string): Promise<NamedAccount[]> => [
  ...(await findNamed(services, [text])).values(),
]

/**
 * The data for formatting the texts of a profile or an announcement as HTML: mentioned accounts and
 * hashtag URLs.
 */
export async function profileContext(services: Services, texts: readonly string[]): Promise<FormatContext> {
  const { config } = services
  const named = await findNamed(services, texts)
  return {
    mentions: (username, domain) => named.get(keyOf(username, foreignDomain(services, domain))),
    tagUrl: name => tagUrl(name, config.publicUrl),
  }
}
