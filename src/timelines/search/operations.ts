import { findAccount, renderAccounts, searchAccounts } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Json, list, operation, param, type Context } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { renderTags } from '../tags/index.ts'
import { normaliseTag } from '../../core/text/index.ts'
import { isUrl, resolveUrl } from './resolve.ts'
import { searchStatuses } from './statuses.ts'

const findTags = query(
  'timelines/search/tags',
  { prefix: c.text, reviewed: c.boolean, limit: c.integer, offset: c.integer },
  { name: c.text },
)

const MAX_COUNT = 40
/** Longer than any URL that servers use. A megabyte of words took half a second to parse. */
const MAX_CHARACTERS = 3000

interface SearchParameters {
  readonly q: string
  readonly limit: number
  readonly offset: number
  readonly following: boolean
  readonly resolve: boolean
  readonly exclude_unreviewed: boolean
}

async function findAccounts(
  context: Context<'optional'>,
  { q, limit, offset, following, resolve }: SearchParameters,
): Promise<Json[]> {
  const ids = await searchAccounts(context, context.viewer, { q, limit, offset, following, resolve })
  const accounts = await renderAccounts(context, context.viewer, ids)
  return ids.flatMap(id => accounts.get(id) ?? [])
}

/** Nobody pages further; all hashtags before the offset are read. */
const MAX_HASHTAG_OFFSET = 10_000

/** Several words are looked for as one hashtag: `climate change` finds #climatechange. */
async function findHashtags(context: Context<'optional'>, parameters: SearchParameters): Promise<Json[]> {
  const prefix = normaliseTag(parameters.q.replace(/^#/, ''))
  const { limit, offset, exclude_unreviewed: reviewed } = parameters
  if (prefix === '' || limit === 0 || offset > MAX_HASHTAG_OFFSET) return []
  // A final ς may be a Σ within a longer word.
  const prefixes = prefix.endsWith('ς') ? [prefix, `${prefix.slice(0, -1)}σ`] : [prefix]
  const found = await Promise.all(
    prefixes.map(one => context.database.run(findTags, { prefix: one, reviewed, limit: offset + limit, offset: 0 })),
  )
  const names = found.flatMap(rows => rows.map(row => row.name)).slice(offset, offset + limit)
  const tags = await renderTags(context, context.viewer, names)
  return names.flatMap(name => tags.get(name) ?? [])
}

/**
 * Checks the parameters and returns the author to whom the search for statuses is restricted.
 * @throws ApiError when an anonymous caller uses a parameter for users, for invalid numbers, and
 * for an unknown account
 */
async function check(
  context: Context<'optional'>,
  parameters: { limit: number; offset: number | undefined; resolve: boolean; account_id: string | undefined },
): Promise<Id | undefined> {
  if (parameters.limit < 0 || (parameters.offset ?? 0) < 0)
    throw new ApiError('badRequest', { message: 'Pagination values for `offset` and `limit` must be positive' })
  if (!context.viewer && parameters.offset !== undefined)
    throw new ApiError('unauthorized', {
      message: 'Search queries pagination is not supported without authentication',
    })
  if (!context.viewer && parameters.resolve)
    throw new ApiError('unauthorized', {
      message: 'Search queries that resolve remote resources are not supported without authentication',
    })
  if (parameters.account_id === undefined || parameters.account_id === '') return undefined
  const id = parseId(parameters.account_id)
  if (id === undefined) throw new ApiError('routeNotFound')
  await findAccount(context, context.viewer, id).catch((cause: unknown) => {
    throw cause instanceof ApiError && cause.code === 'notFound' ? new ApiError('routeNotFound', { cause }) : cause
  })
  return id
}

/** All four kinds are always present. */
const render = (found: { accounts?: Json[]; statuses?: Json[]; hashtags?: Json[]; collections?: Json[] }): Json =>
  new Json(
    `{"accounts":${list(found.accounts ?? []).text},"statuses":${list(found.statuses ?? []).text}` +
      `,"hashtags":${list(found.hashtags ?? []).text},"collections":${list(found.collections ?? []).text}}`,
  )

const search = operation({
  method: 'GET',
  path: '/api/v2/search',
  auth: 'optional',
  scopes: ['read:search'],
  summary: 'Search for accounts, statuses and hashtags, or resolve a URL',
  params: {
    q: param.string({
      missing: 400,
      trim: true,
      max: MAX_CHARACTERS,
      description: 'words, phrases in quotes, operators such as from:me; the first 32 of each count',
    }),
    type: param.string({ optional: true }),
    resolve: param.boolean({ default: false, description: 'also ask other servers for q as a URL or handle' }),
    following: param.boolean({ default: false, description: 'only accounts that the caller follows' }),
    account_id: param.string({ optional: true, description: 'only statuses of this account' }),
    exclude_unreviewed: param.boolean({ default: false, description: 'only hashtags that were reviewed' }),
    max_id: param.cursor({ description: 'only statuses before it' }),
    min_id: param.cursor({ description: 'only statuses after it' }),
    limit: param.integer({ default: 20 }),
    offset: param.integer({ optional: true, description: 'only with a type' }),
  },
  returns: 'Search',
  async handle(parameters, context) {
    const author = await check(context, parameters)
    const { type, viewer } = { ...parameters, ...context }
    const wants = (kind: string): boolean => type === undefined || type === '' || type === kind
    const offset = type === undefined || type === '' ? 0 : (parameters.offset ?? 0)
    if (viewer && parameters.resolve && isUrl(parameters.q)) {
      const found = offset > 0 ? {} : await resolveUrl(context, viewer, parameters.q)
      return render({
        accounts: found.account && wants('accounts') ? [found.account] : [],
        statuses: found.status && wants('statuses') ? [found.status] : [],
        collections: found.collection && wants('collections') ? [found.collection] : [],
      })
    }
    const part = { ...parameters, limit: Math.min(parameters.limit, MAX_COUNT), offset }
    const [accounts, hashtags, statuses] = await Promise.all([
      wants('accounts') ? findAccounts(context, part) : [],
      wants('hashtags') ? findHashtags(context, part) : [],
      viewer && wants('statuses') ? searchStatuses(context, viewer, { ...part, account_id: author }) : [],
    ])
    return render({ accounts, statuses, hashtags })
  },
})

export const operations = [search]
