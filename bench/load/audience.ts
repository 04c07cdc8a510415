/** Asks the server as somebody. */
async function ask(url: string, token: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`)
  return JSON.parse(text)
}

export interface Account {
  readonly id: string
  readonly username: string
}

/** Whose token it is. */
export const whois = async (url: string, token: string): Promise<Account> =>
  (await ask(url, token, 'GET', 'accounts/verify_credentials')) as Account

interface Relationship {
  readonly blocking: boolean
  readonly blocked_by: boolean
  readonly muting: boolean
  readonly domain_blocking: boolean
}

const AT_ONCE = 16

/** The tokens of those for whom something holds; some are asked at once. */
async function filter(tokens: readonly string[], holds: (token: string) => Promise<boolean>): Promise<string[]> {
  const found: string[] = []
  for (let from = 0; from < tokens.length; from += AT_ONCE) {
    const batch = tokens.slice(from, from + AT_ONCE)
    const answers = await Promise.all(batch.map(holds))
    found.push(...batch.filter((_, index) => answers[index]))
  }
  return found
}

/** Those who hear what the author posts in public: nobody shuns the other. So each post is owed to each of them. */
export function findAudience(url: string, author: Account, tokens: readonly string[]): Promise<string[]> {
  return filter(tokens, async token => {
    const found = await ask(url, token, 'GET', `accounts/relationships?id[]=${author.id}`)
    const [relation] = found as Relationship[]
    return !!relation && !(relation.blocking || relation.blocked_by || relation.muting || relation.domain_blocking)
  })
}

/** Gives these people rules of their own, none of which is about the author: a block, a mute and a filter with three keywords. */
export async function giveRules(url: string, tokens: readonly string[], others: readonly Account[]): Promise<void> {
  const [blocked, muted] = others
  if (!blocked || !muted) throw new Error('there is nobody to block')
  await filter(tokens, async token => {
    await ask(url, token, 'POST', `accounts/${blocked.id}/block`)
    await ask(url, token, 'POST', `accounts/${muted.id}/mute`)
    const keywords = ['spoiler', 'election', 'wombat'].map(keyword => ({ keyword, whole_word: true }))
    await ask(url, token, 'POST', '../v2/filters', {
      title: 'bench',
      context: ['home', 'public'],
      filter_action: 'warn',
      keywords_attributes: keywords,
    })
    return true
  })
}
