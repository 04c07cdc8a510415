import { c, query } from '../database/index.ts'
import type { Services } from '../services.ts'
import { normaliseTag, recognise, type FormatContext, type MentionedAccount } from '../text/index.ts'

const byHandles = query(
  'accounts/by_handles',
  { usernames: c.texts, domains: c.texts },
  { id: c.id, username: c.text, domain: c.nullable(c.text), url: c.nullable(c.text) },
)

const keyOf = (username: string, domain: string | null): string =>
  `${username.toLowerCase()}@${domain?.toLowerCase() ?? ''}`

/** What the texts of a profile need to become HTML: the accounts that they mention, and where hashtags lead. */
export async function profileContext({ database, config }: Services, texts: readonly string[]): Promise<FormatContext> {
  const local = (domain: string | null): string | null => (domain?.toLowerCase() === config.localDomain ? null : domain)
  const wanted = new Map<string, { username: string; domain: string }>()
  for (const entity of texts.flatMap(text => recognise(text))) {
    if (entity.kind !== 'mention') continue
    const domain = local(entity.domain)
    wanted.set(keyOf(entity.username, domain), { username: entity.username, domain: domain ?? '' })
  }
  const known = new Map<string, MentionedAccount>()
  if (wanted.size > 0) {
    const usernames = [...wanted.values()].map(({ username }) => username)
    const domains = [...wanted.values()].map(({ domain }) => domain)
    for (const { username, domain, url } of await database.run(byHandles, { usernames, domains })) {
      known.set(keyOf(username, domain), { username, domain, url: url ?? `${config.publicUrl}/@${username}` })
    }
  }
  return {
    mentions: (username, domain) => known.get(keyOf(username, local(domain))),
    tagUrl: name => `${config.publicUrl}/tags/${encodeURIComponent(normaliseTag(name))}`,
  }
}
