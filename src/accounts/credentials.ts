import { effectivePermissions } from '../core/permissions.ts'
import { c, query, type Row } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import { Json, operation } from '../platform/http/index.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { renderVerifiedAt } from './fragment.ts'
import type { StoredField, StoredImage } from './profile.ts'
import { renderAccount } from './render.ts'

const findCredentials = query(
  'accounts/credentials',
  { account: c.id },
  {
    display_name: c.text,
    note: c.text,
    note_html: c.text,
    fields: c.json<StoredField[]>(),
    avatar: c.nullable(c.json<StoredImage>()),
    avatar_description: c.text,
    header: c.nullable(c.json<StoredImage>()),
    header_description: c.text,
    locked: c.boolean,
    bot: c.boolean,
    hide_collections: c.nullable(c.boolean),
    discoverable: c.nullable(c.boolean),
    indexable: c.boolean,
    show_media: c.boolean,
    show_media_replies: c.boolean,
    show_featured: c.boolean,
    attribution_domains: c.texts,
    locale: c.nullable(c.text),
    preferences: c.json<Record<string, unknown>>(),
    follow_requests_count: c.integer,
    role_id: c.id,
    role_name: c.text,
    role_permissions: c.integer,
    role_color: c.text,
    role_highlighted: c.boolean,
    role_collection_limit: c.integer,
  },
)

/** The private data of the viewer's own account. */
export type Credentials = Row<typeof findCredentials.columns>

/** @throws ApiError notFound if the account was deleted in the meantime */
export async function readCredentials({ database }: Services, viewer: Viewer): Promise<Credentials> {
  const row = await database.one(findCredentials, { account: viewer.id })
  if (!row) throw new ApiError('notFound')
  return row
}

/** Fields as entered, for editing. */
export const rawFields = (fields: readonly StoredField[]): object[] =>
  fields.map(({ name, value, verified_at }) => ({ name, value, verified_at: renderVerifiedAt(verified_at) }))

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/**
 * The visibility of new statuses for which none is chosen: the preferred one; without a preference
 * private for locked accounts, else public.
 */
export function defaultVisibility({
  preferences,
  locked,
}: Pick<Viewer, 'preferences' | 'locked'>): 'public' | 'unlisted' | 'private' {
  const preferred = preferences['default_privacy']
  if (preferred === 'public' || preferred === 'unlisted' || preferred === 'private') return preferred
  return locked ? 'private' : 'public'
}

/** The entity Source. */
const renderSource = (row: Credentials): object => ({
  privacy: defaultVisibility(row),
  sensitive: row.preferences['default_sensitive'] === true,
  language: textOr(row.preferences['default_language'], null),
  note: row.note,
  fields: rawFields(row.fields),
  follow_requests_count: row.follow_requests_count,
  hide_collections: row.hide_collections,
  discoverable: row.discoverable,
  indexable: row.indexable,
  attribution_domains: row.attribution_domains,
  quote_policy: textOr(row.preferences['default_quote_policy'], 'public'),
})

/** The entity Role, whose permissions include those of the base role. */
const renderRole = (row: Credentials): object => ({
  id: row.role_id,
  name: row.role_name,
  permissions: String(effectivePermissions(row.role_permissions)),
  color: row.role_color,
  highlighted: row.role_highlighted,
  collection_limit: row.role_collection_limit,
})

/** The viewer's own account (entity CredentialAccount). */
export async function renderCredentialAccount(services: Services, viewer: Viewer): Promise<Json> {
  const [row, account] = await Promise.all([
    readCredentials(services, viewer),
    renderAccount(services, viewer, viewer.id),
  ])
  if (!account) throw new ApiError('notFound')
  // The entity is text that ends in a brace; two more members are inserted before it.
  const more = `"source":${JSON.stringify(renderSource(row))},"role":${JSON.stringify(renderRole(row))}`
  return new Json(`${account.text.slice(0, -1)},${more}}`)
}

const verifyCredentials = operation({
  method: 'GET',
  path: '/api/v1/accounts/verify_credentials',
  auth: 'user',
  scopes: ['profile', 'read:accounts'],
  params: {},
  returns: 'CredentialAccount',
  summary: "Show the caller's account",
  handle: (_, context) => renderCredentialAccount(context, context.viewer),
})

const preferences = operation({
  method: 'GET',
  path: '/api/v1/preferences',
  auth: 'user',
  scopes: ['read:accounts'],
  params: {},
  returns: 'Preferences',
  summary: "Show the caller's preferences for posting and reading",
  async handle(_, context) {
    const row = await readCredentials(context, context.viewer)
    const chosen = row.preferences
    return {
      'posting:default:visibility': defaultVisibility(row),
      'posting:default:sensitive': chosen['default_sensitive'] === true,
      'posting:default:language': textOr(chosen['default_language'], row.locale ?? context.config.defaultLocale),
      'posting:default:quote_policy': textOr(chosen['default_quote_policy'], 'public'),
      'reading:expand:media': textOr(chosen['display_media'], 'default'),
      'reading:expand:spoilers': chosen['expand_spoilers'] === true,
      'reading:autoplay:gifs': chosen['auto_play_gif'] === true,
    }
  },
})

export const operations = [verifyCredentials, preferences]
