import { parseHandle, renderAccounts } from '../accounts/index.ts'
import { c, query } from '../database/index.ts'
import { Json, list, operation, param, type Context } from '../http/index.ts'

const findFeatured = query(
  'suggestions/featured',
  { viewer: c.id, usernames: c.texts, domains: c.texts, limit: c.integer, offset: c.integer },
  { id: c.id },
)
const dismiss = query('suggestions/dismiss', { viewer: c.id, account: c.id }, {})

const params = { limit: param.limit(40), offset: param.integer({ default: 0, min: 0 }) } as const

/** Accounts chosen by administrators, for recommendation or for being followed from the start (api/settings.md, section 3). */
async function suggestAccounts(context: Context<'user'>, limit: number, offset: number): Promise<Json[]> {
  const { viewer, database, settings, config } = context
  const names = new Set([...settings.get('bootstrap_timeline_accounts'), ...settings.get('auto_follow_accounts')])
  const handles = [...names].flatMap(name => parseHandle(name, config) ?? [])
  if (handles.length === 0) return []
  const rows = await database.run(findFeatured, {
    viewer: viewer.id,
    usernames: handles.map(handle => handle.username),
    domains: handles.map(handle => handle.domain ?? ''),
    limit,
    offset,
  })
  const ids = rows.map(row => row.id)
  const accounts = await renderAccounts(context, viewer, ids)
  return ids.flatMap(id => accounts.get(id) ?? [])
}

const showSuggestions = operation({
  method: 'GET',
  path: '/api/v2/suggestions',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List accounts that the caller may want to follow',
  params,
  returns: '[Suggestion]',
  async handle({ limit, offset }, context) {
    const accounts = await suggestAccounts(context, limit, offset)
    return list(
      accounts.map(account => new Json(`{"source":"staff","sources":["featured"],"account":${account.text}}`)),
    )
  },
})

const showSuggestionsV1 = operation({
  method: 'GET',
  path: '/api/v1/suggestions',
  auth: 'user',
  scopes: ['read:accounts'],
  summary: 'List accounts that the caller may want to follow, without why',
  params,
  returns: '[Account]',
  headers: { Deprecation: '@1621123200' },
  handle: async ({ limit, offset }, context) => list(await suggestAccounts(context, limit, offset)),
})

/** Also of an account that is not suggested, or not there. */
const dismissSuggestion = operation({
  method: 'DELETE',
  path: '/api/v1/suggestions/:account_id',
  auth: 'user',
  scopes: ['write:accounts'],
  summary: 'Do not suggest an account again',
  params: { account_id: param.id({ optional: true, invalid: 'missing' }) },
  returns: '{}',
  async handle({ account_id: account }, { viewer, database }) {
    if (account !== undefined) await database.run(dismiss, { viewer: viewer.id, account })
    return {}
  },
})

export const operations = [showSuggestions, showSuggestionsV1, dismissSuggestion]
