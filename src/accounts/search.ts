import { ApiError } from '../core/errors.ts'
import { c, query } from '../platform/database/index.ts'
import { list, operation, param } from '../platform/http/index.ts'
import { parseId, type Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { countCodePoints } from '../core/text/index.ts'
import { isVisibleTo } from './find_account.ts'
import { findByHandle } from './read.ts'
import { askForHandle, type HandleResult } from './remote_lookup.ts'
import { accountFragments, renderAccounts } from './render.ts'

const searchByName = query(
  'accounts/search',
  {
    viewer: c.nullable(c.id),
    name: c.text,
    domain: c.nullable(c.text),
    pattern: c.text,
    following: c.boolean,
    exact: c.nullable(c.id),
    limit: c.integer,
    offset: c.integer,
  },
  { id: c.id },
)

const followedOnly = query('accounts/follows', { viewer: c.id, target: c.id }, { id: c.id })

export interface AccountSearch {
  q: string
  limit: number
  offset: number
  /** Only accounts that the viewer follows, and the viewer. */
  following: boolean
  /** Another server is asked for an unknown handle. */
  resolve: boolean
  /** When that server gives no answer and nothing else is found, the search fails. */
  needsAnswer?: boolean
}

/** The account with a profile URL on this server, or undefined. */
export async function findByUrl(services: Services, text: string): Promise<Id | undefined> {
  const { publicUrl } = services.config
  if (!text.toLowerCase().startsWith(`${publicUrl.toLowerCase()}/`)) return undefined
  const path = text.slice(publicUrl.length).replace(/[/?#]*$/, '')
  const byId = /^\/ap\/users\/(\d+)$/.exec(path)?.[1]
  if (byId !== undefined) return parseId(byId)
  const name = /^\/(?:@|users\/)([a-z0-9_]+)$/i.exec(path)?.[1]
  return name === undefined ? undefined : findByHandle(services, name)
}

/** The account whose handle or URL is the whole text. */
async function findExact(
  services: Services,
  viewer: Viewer | null,
  { q, resolve }: AccountSearch,
): Promise<HandleResult> {
  const id = (await findByUrl(services, q.trim())) ?? (await findByHandle(services, q))
  return id === undefined && resolve && viewer ? askForHandle(services, q) : { id, silent: false }
}

/** The account, if it is searchable. */
async function ifSearchable(
  services: Services,
  viewer: Viewer | null,
  search: AccountSearch,
  id: Id,
): Promise<Id | undefined> {
  const account = await accountFragments(services).one(id)
  if (!account || account.suspended || !isVisibleTo(account, viewer)) return undefined
  if (!search.following || id === viewer?.id) return id
  return viewer ? (await services.database.one(followedOnly, { viewer: viewer.id, target: id }))?.id : undefined
}

/**
 * No handle is longer, and nobody types more of a display name. The index is searched for each
 * three characters.
 */
const MAX_CHARACTERS = 300

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * The text, and what else its lower case can be: Σ at the end of a word is a final ς, or the σ of a
 * longer word.
 */
const spellings = (text: string): string[] => [...new Set([text, text.replaceAll(/Σ(?!\p{L})/gu, 'ς')])]

type Page = { following: boolean; exact: Id | null; limit: number; offset: number }

/** Accounts whose names match the text in one of its spellings. */
async function searchNames(services: Services, viewer: Viewer | null, text: string, page: Page): Promise<Id[]> {
  const find = async (one: string, part: Page): Promise<Id[]> => {
    const [name = '', domain] = one.split('@', 2)
    const names = { name, domain: domain?.toLowerCase() ?? null, pattern: `%${escapeLike(one)}%` }
    const rows = await services.database.run(searchByName, { viewer: viewer?.id ?? null, ...names, ...part })
    return rows.map(({ id }) => id)
  }
  const [typed = text, ...others] = spellings(text)
  if (others.length === 0) return find(typed, page)
  const { limit, offset } = page
  const whole = { ...page, limit: offset + limit, offset: 0 }
  const found = await Promise.all([typed, ...others].map(one => find(one, whole)))
  return [...new Set(found.flat())].slice(offset, offset + limit)
}

/**
 * The accounts that match a text, best first: the exact match, then accounts that the viewer
 * follows, then by followers. Only known accounts; suspended and pending accounts and those marked
 * for deletion are never found. A text of more than 300 characters finds only the exact match, as
 * does one of less than three for an anonymous caller (null).
 * @throws ApiError remoteFailed
 */
export async function searchAccounts(services: Services, viewer: Viewer | null, search: AccountSearch): Promise<Id[]> {
  const text = search.q.trim().replace(/^@/, '')
  if (text === '' || search.limit === 0) return []
  const whole = await findExact(services, viewer, search)
  const exact = whole.id && (await ifSearchable(services, viewer, search, whole.id))
  const first = search.offset === 0 && exact !== undefined ? [exact] : []
  const length = countCodePoints(text)
  if ((!viewer && length < 3) || length > MAX_CHARACTERS) return first
  const names = await searchNames(services, viewer, text, {
    following: search.following,
    exact: exact ?? null,
    limit: search.limit - first.length,
    // The exact match takes a place of the first page.
    offset: search.offset - (search.offset > 0 && exact !== undefined ? 1 : 0),
  })
  const found = [...first, ...names]
  if (found.length === 0 && whole.silent && search.needsAnswer) throw new ApiError('remoteFailed')
  return found
}

export const search = operation({
  method: 'GET',
  path: '/api/v1/accounts/search',
  auth: 'user',
  scopes: ['read:accounts'],
  params: {
    q: param.string({ default: '' }),
    limit: param.limit(40),
    offset: param.offset(),
    resolve: param.boolean({ default: false, description: 'ask another server for an unknown handle' }),
    following: param.boolean({ default: false }),
  },
  returns: '[Account]',
  summary: 'Search for accounts',
  async handle(parameters, context) {
    const ids = await searchAccounts(context, context.viewer, { ...parameters, needsAnswer: true })
    const rendered = await renderAccounts(context, context.viewer, ids)
    return list(ids.flatMap(id => rendered.get(id) ?? []))
  },
})
