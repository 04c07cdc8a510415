import { validationError } from '../core/errors.ts'
import { operation, param } from '../platform/http/index.ts'
import { findLanguage } from '../core/languages/index.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { rawFields, readCredentials, renderCredentialAccount } from './credentials.ts'
import { featuredTagsOf } from './featured_tags.ts'
import { renderVerifiedAt } from './fragment.ts'
import type { StoredImage } from './profile.ts'
import { updateProfile } from './update_profile.ts'

/** Two pictures of 8 MiB as base64, and texts. */
const BODY_LIMIT_BYTES = 24 * 1024 * 1024

const text = (): ReturnType<typeof param.string<{ optional: true }>> => param.string({ optional: true })
const flag = (): ReturnType<typeof param.boolean<{ optional: true }>> => param.boolean({ optional: true })

const profileParams = {
  display_name: text(),
  note: text(),
  avatar: param.upload({ optional: true, nullable: true }),
  avatar_description: text(),
  header: param.upload({ optional: true, nullable: true }),
  header_description: text(),
  locked: flag(),
  bot: flag(),
  discoverable: flag(),
  hide_collections: flag(),
  indexable: flag(),
  attribution_domains: param.strings({ optional: true }),
  fields_attributes: param.objects({ name: text(), value: text() }, { optional: true }),
}

const source = param.object(
  {
    privacy: param.enumeration(['public', 'unlisted', 'private'], { optional: true }),
    sensitive: flag(),
    language: text(),
    quote_policy: param.enumeration(['public', 'followers', 'nobody'], { optional: true }),
  },
  { optional: true },
)

/** Defaults for posting, as `source` of a request names them. */
interface Source {
  privacy: string | undefined
  sensitive: boolean | undefined
  language: string | undefined
  quote_policy: string | undefined
}

/**
 * The preferences that `source` changes; a blank language means none.
 * @throws ApiError validation for an unknown language
 */
export function preferencesOf(source: Source | undefined): Record<string, unknown> {
  if (!source) return {}
  const { privacy, sensitive, language, quote_policy } = source
  const known = language === undefined || language === '' ? null : findLanguage(language)
  if (known === undefined) throw validationError('Language is not included in the list')
  return {
    ...(privacy !== undefined && { default_privacy: privacy }),
    ...(sensitive !== undefined && { default_sensitive: sensitive }),
    ...(language !== undefined && { default_language: known }),
    ...(quote_policy !== undefined && { default_quote_policy: quote_policy }),
  }
}

const updateCredentials = operation({
  method: 'PATCH',
  path: '/api/v1/accounts/update_credentials',
  auth: 'user',
  scopes: ['write:accounts'],
  bodyLimitBytes: BODY_LIMIT_BYTES,
  params: { ...profileParams, source },
  returns: 'CredentialAccount',
  summary: "Change the caller's profile and defaults for posting",
  async handle({ source: defaults, ...change }, context) {
    await updateProfile(context, context.viewer, change, preferencesOf(defaults))
    return renderCredentialAccount(context, context.viewer)
  },
})

/** The entity Profile: the account as its owner edits it. */
async function renderProfile(services: Services, viewer: Viewer): Promise<object> {
  const row = await readCredentials(services, viewer)
  const url = (image: StoredImage | null, key: 'key' | 'static_key'): string | null =>
    image ? services.storage.url(image[key]) : null
  return {
    id: viewer.id,
    display_name: row.display_name,
    note: row.note,
    fields: rawFields(row.fields),
    formatted_note: row.note_html,
    formatted_fields: row.fields.map(({ name, value_html, verified_at }) => ({
      name,
      value: value_html,
      verified_at: renderVerifiedAt(verified_at),
    })),
    avatar: url(row.avatar, 'key'),
    avatar_static: url(row.avatar, 'static_key'),
    avatar_description: row.avatar_description,
    header: url(row.header, 'key'),
    header_static: url(row.header, 'static_key'),
    header_description: row.header_description,
    locked: row.locked,
    bot: row.bot,
    hide_collections: row.hide_collections,
    discoverable: row.discoverable,
    indexable: row.indexable,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    attribution_domains: row.attribution_domains,
    featured_tags: await featuredTagsOf(services, { id: viewer.id, acct: viewer.username }),
  }
}

const showProfile = operation({
  method: 'GET',
  path: '/api/v1/profile',
  auth: 'user',
  scopes: ['profile', 'read:accounts'],
  params: {},
  returns: 'Profile',
  summary: "Show the caller's profile for editing",
  handle: (_, context) => renderProfile(context, context.viewer),
})

const editProfile = operation({
  method: ['PATCH', 'PUT'],
  path: '/api/v1/profile',
  auth: 'user',
  scopes: ['write:accounts'],
  bodyLimitBytes: BODY_LIMIT_BYTES,
  params: { ...profileParams, show_media: flag(), show_media_replies: flag(), show_featured: flag() },
  returns: 'Profile',
  summary: "Change the caller's profile",
  async handle(change, context) {
    await updateProfile(context, context.viewer, change)
    return renderProfile(context, context.viewer)
  },
})

const removeAvatar = operation({
  method: 'DELETE',
  path: '/api/v1/profile/avatar',
  auth: 'user',
  scopes: ['write:accounts'],
  params: {},
  returns: 'CredentialAccount',
  summary: "Remove the caller's avatar",
  async handle(_, context) {
    await updateProfile(context, context.viewer, { avatar: null })
    return renderCredentialAccount(context, context.viewer)
  },
})

const removeHeader = operation({
  method: 'DELETE',
  path: '/api/v1/profile/header',
  auth: 'user',
  scopes: ['write:accounts'],
  params: {},
  returns: 'CredentialAccount',
  summary: "Remove the caller's header",
  async handle(_, context) {
    await updateProfile(context, context.viewer, { header: null })
    return renderCredentialAccount(context, context.viewer)
  },
})

export const operations = [updateCredentials, showProfile, editProfile, removeAvatar, removeHeader]
