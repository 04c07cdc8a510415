import { renderAccounts } from '../index.ts'
import { c, query } from '../../platform/database/index.ts'
import { Json, list, operation, param, type Context } from '../../platform/http/index.ts'
import { suggestedTo } from './candidates.ts'

const dismiss = query('accounts/suggestions/dismiss', { viewer: c.id, account: c.id }, {})

const params = { limit: param.limit(40), offset: param.offset() } as const

/** The old name of a source, for clients that know no others. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_followed: 'global',
  most_interactions: 'global',
}

interface Suggestion {
  readonly sources: readonly string[]
  readonly account: Json
}

async function suggestAccounts(context: Context<'user'>, limit: number, offset: number): Promise<Suggestion[]> {
  const { viewer } = context
  const candidates = (await suggestedTo(context, viewer.id)).slice(offset, offset + limit)
  const accounts = await renderAccounts(
    context,
    viewer,
    candidates.map(({ id }) => id),
  )
  return candidates.flatMap(({ id, sources }) => {
    const account = accounts.get(id)
    return account ? [{ sources, account }] : []
  })
}

/** The entity Suggestion. */
function renderSuggestion({ sources, account }: Suggestion): Json {
  const source = OLD_NAMES[sources[0] ?? ''] ?? null
  return new Json(`{"source":${JSON.stringify(source)},"sources":${JSON.stringify(sources)},"account":${account.text}}`)
}

const showSuggestions = operation({
  method: 'GET',
  path: '/api/v2/suggestions',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List accounts that the caller may want to follow',
  params,
  returns: '[Suggestion]',
  handle: async ({ limit, offset }, context) =>
    list((await suggestAccounts(context, limit, offset)).map(renderSuggestion)),
})

const showSuggestionsV1 = operation({
  method: 'GET',
  path: '/api/v1/suggestions',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List accounts that the caller may want to follow, without sources',
  params,
  returns: '[Account]',
  headers: { Deprecation: '@1621123200' },
  handle: async ({ limit, offset }, context) =>
    list((await suggestAccounts(context, limit, offset)).map(({ account }) => account)),
})

/** Succeeds also for accounts that are not suggested or do not exist. */
const dismissSuggestion = operation({
  method: 'DELETE',
  path: '/api/v1/suggestions/:account_id',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Remove an account from the suggestions',
  params: { account_id: param.id({ optional: true, invalid: 'missing' }) },
  returns: '{}',
  async handle({ account_id: account }, { viewer, database }) {
    if (account !== undefined) await database.run(dismiss, { viewer: viewer.id, account })
    return {}
  },
})

export const operations = [showSuggestions, showSuggestionsV1, dismissSuggestion]
