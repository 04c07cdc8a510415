import { LIMITS } from '../core/limits.ts'
import { countCodePoints, countNote, cutCodePoints } from '../core/text/index.ts'
import type { Upload } from '../platform/http/index.ts'
import { ValidationErrors } from './validation_errors.ts'
import { domainInAscii } from '../core/parse_url.ts'

const {
  max_display_name_length: MAX_DISPLAY_NAME_CHARACTERS,
  max_note_length: MAX_NOTE_CHARACTERS,
  max_avatar_description_length: MAX_AVATAR_DESCRIPTION_CHARACTERS,
  max_header_description_length: MAX_HEADER_DESCRIPTION_CHARACTERS,
  max_profile_fields: MAX_FIELDS,
  profile_field_name_limit: MAX_FIELD_NAME_CHARACTERS,
  profile_field_value_limit: MAX_FIELD_VALUE_CHARACTERS,
} = LIMITS.accounts
const MAX_ATTRIBUTION_DOMAINS = 100

/** Changes to a profile. Undefined members are not changed. */
export interface ProfileChange {
  display_name?: string | undefined
  note?: string | undefined
  /** Null removes it. */
  avatar?: Upload | null | undefined
  avatar_description?: string | undefined
  header?: Upload | null | undefined
  header_description?: string | undefined
  locked?: boolean | undefined
  bot?: boolean | undefined
  discoverable?: boolean | undefined
  hide_collections?: boolean | undefined
  indexable?: boolean | undefined
  show_media?: boolean | undefined
  show_media_replies?: boolean | undefined
  show_featured?: boolean | undefined
  attribution_domains?: readonly string[] | undefined
  fields_attributes?: readonly { name: string | undefined; value: string | undefined }[] | undefined
}

export interface ProfileTexts {
  displayName: string | null
  note: string | null
  avatarDescription: string | null
  headerDescription: string | null
  fields: { name: string; value: string }[] | null
  domains: string[] | null
}

const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

function checkFields(change: ProfileChange, errors: ValidationErrors): { name: string; value: string }[] | null {
  if (!change.fields_attributes) return null
  const fields = change.fields_attributes
    .map(({ name = '', value = '' }) => ({
      name: cutCodePoints(name.trim(), MAX_FIELD_NAME_CHARACTERS),
      value: cutCodePoints(value.trim(), MAX_FIELD_VALUE_CHARACTERS),
    }))
    .filter(({ name, value }) => name !== '' || value !== '')
  if (fields.length > MAX_FIELDS) errors.addTooLong('fields', 'Fields', MAX_FIELDS)
  if (fields.some(({ name }) => name === '')) {
    errors.add('fields', 'Fields', 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS', 'contains values with missing labels')
  }
  return fields
}

function checkDomains(change: ProfileChange, errors: ValidationErrors): string[] | null {
  if (!change.attribution_domains) return null
  const domains = new Set<string>()
  for (const given of change.attribution_domains) {
    const domain = given
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\*\./, '')
    if (domain !== '') domains.add(domain.toLowerCase())
  }
  const [attribute, label] = ['attribution_domains', 'Attribution domains']
  if (domains.size > MAX_ATTRIBUTION_DOMAINS) errors.addTooLong(attribute, label, MAX_ATTRIBUTION_DOMAINS)
  for (const domain of domains) {
    if (HOST.test(domainInAscii(domain))) continue
    errors.add(attribute, label, 'ERR_INVALID_DOMAIN_ON_LINE', `${domain} is not a valid domain name`)
  }
  return [...domains]
}

/**
 * The texts to store; null where nothing changes.
 * @throws ApiError validation with `details` of all texts that are too long or malformed
 */
export function checkProfile(change: ProfileChange): ProfileTexts {
  const errors = new ValidationErrors()
  const displayName = change.display_name?.trim() ?? null
  const note = change.note?.trim() ?? null
  const { avatar_description: avatarDescription = null, header_description: headerDescription = null } = change
  if (displayName !== null && countCodePoints(displayName) > MAX_DISPLAY_NAME_CHARACTERS) {
    errors.addTooLong('display_name', 'Display name', MAX_DISPLAY_NAME_CHARACTERS)
  }
  if (note !== null && countNote(note) > MAX_NOTE_CHARACTERS) errors.addTooLong('note', 'Note', MAX_NOTE_CHARACTERS)
  if (avatarDescription !== null && countCodePoints(avatarDescription) > MAX_AVATAR_DESCRIPTION_CHARACTERS) {
    errors.addTooLong('avatar_description', 'Avatar description', MAX_AVATAR_DESCRIPTION_CHARACTERS)
  }
  if (headerDescription !== null && countCodePoints(headerDescription) > MAX_HEADER_DESCRIPTION_CHARACTERS) {
    errors.addTooLong('header_description', 'Header description', MAX_HEADER_DESCRIPTION_CHARACTERS)
  }
  const fields = checkFields(change, errors)
  const domains = checkDomains(change, errors)
  errors.throwIfAny()
  return { displayName, note, avatarDescription, headerDescription, fields, domains }
}
