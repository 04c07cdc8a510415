/** API calls that prepare a measurement. Any server with the Mastodon API supports them. */

export interface Account {
  readonly id: string
  readonly username: string
}

interface Relationship {
  readonly blocking: boolean
  readonly blocked_by: boolean
  readonly muting: boolean
  readonly domain_blocking: boolean
}

export interface Status {
  readonly id: string
  readonly content: string
  readonly account: Account
  readonly tags: readonly { readonly name: string }[]
}

/** The requested entities by path; the server is trusted to conform. */
interface Answers {
  account: Account
  accounts: Account[]
  relationships: Relationship[]
  statuses: Status[]
  status: Status
  list: { readonly id: string }
}

export interface ApiRequest {
  readonly url: string
  readonly token?: string | undefined
  readonly method?: string
  /** From `/api` on. */
  readonly path: string
  readonly body?: object
}

/** The response body as text. @throws Error for an unsuccessful response */
export async function askForText({ url, token, method = 'GET', path, body }: ApiRequest): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text.slice(0, 200)}`)
  return text
}

export const askFor = async <K extends keyof Answers>(_what: K, parameters: ApiRequest): Promise<Answers[K]> =>
  JSON.parse(await askForText(parameters)) as Answers[K]

/** The account of a token. */
export const whois = (url: string, token: string): Promise<Account> =>
  askFor('account', { url, token, path: '/api/v1/accounts/verify_credentials' })

const AT_ONCE = 16

/** Runs a function for each item, several at once, and keeps the order of the results. */
export async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))))
  return results
}

/**
 * The users who receive the author's public posts: none blocks or mutes the other. So each post
 * must reach each of them.
 */
export async function findFollowers(url: string, author: Account, tokens: readonly string[]): Promise<string[]> {
  const path = `/api/v1/accounts/relationships?id[]=${author.id}`
  const hears = await forEach(tokens, async token => {
    const [relation] = await askFor('relationships', { url, token, path })
    return !!relation && !(relation.blocking || relation.blocked_by || relation.muting || relation.domain_blocking)
  })
  return tokens.filter((_, index) => hears[index])
}

/**
 * Gives these users rules of their own that do not concern the author: a block, a mute and a filter
 * with three keywords.
 */
export async function giveRules(url: string, tokens: readonly string[], others: readonly Account[]): Promise<void> {
  const [blocked, muted] = others
  if (!blocked || !muted) throw new Error('there is no account to block')
  const keywords = ['spoiler', 'election', 'wombat'].map(keyword => ({ keyword, whole_word: true }))
  const filter = { title: 'bench', context: ['home', 'public'], filter_action: 'warn', keywords_attributes: keywords }
  await forEach(tokens, async token => {
    await askForText({ url, token, method: 'POST', path: `/api/v1/accounts/${blocked.id}/block` })
    await askForText({ url, token, method: 'POST', path: `/api/v1/accounts/${muted.id}/mute` })
    await askForText({ url, token, method: 'POST', path: '/api/v2/filters', body: filter })
  })
}

const MAX_LISTED = 80

/** Creates a list of accounts that the user follows. @returns its id */
export async function makeList(url: string, token: string): Promise<string> {
  const { id } = await whois(url, token)
  const followed = await askFor('accounts', {
    url,
    token,
    path: `/api/v1/accounts/${id}/following?limit=${MAX_LISTED}`,
  })
  const list = await askFor('list', { url, token, method: 'POST', path: '/api/v1/lists', body: { title: 'bench' } })
  const body = { account_ids: followed.map(account => account.id) }
  await askForText({ url, token, method: 'POST', path: `/api/v1/lists/${list.id}/accounts`, body })
  return list.id
}

/** The newest public statuses. @throws Error if there are none */
export async function findStatuses(url: string, token?: string): Promise<Status[]> {
  const statuses = await askFor('statuses', { url, token, path: '/api/v1/timelines/public?limit=40' })
  if (statuses.length === 0) throw new Error(`there are no public statuses on ${url}`)
  return statuses
}
