import { domainToASCII } from 'node:url'
import { countCodePoints, countNote, cutCodePoints } from '../text/index.ts'
import type { Upload } from '../http/index.ts'
import { Faults } from './faults.ts'

/** Limits of api/conventions.md, section 15. */
export const LONGEST_DISPLAY_NAME = 40
export const LONGEST_NOTE = 500
export const MOST_FIELDS = 4
const LONGEST_FIELD = 255
const LONGEST_DESCRIPTION = 150
const MOST_DOMAINS = 100

/** What a person asks to have changed of the own profile. What is undefined stays as it is. */
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

function checkFields(change: ProfileChange, faults: Faults): { name: string; value: string }[] | null {
  if (!change.fields_attributes) return null
  const fields = change.fields_attributes
    .map(({ name = '', value = '' }) => ({
      name: cutCodePoints(name.trim(), LONGEST_FIELD),
      value: cutCodePoints(value.trim(), LONGEST_FIELD),
    }))
    .filter(({ name, value }) => name !== '' || value !== '')
  if (fields.length > MOST_FIELDS) faults.addTooLong('fields', 'Fields', MOST_FIELDS)
  if (fields.some(({ name }) => name === '')) {
    faults.add('fields', 'Fields', 'ERR_FIELDS_WITH_VALUES_MISSING_LABELS', 'contains values with missing labels')
  }
  return fields
}

function checkDomains(change: ProfileChange, faults: Faults): string[] | null {
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
  if (domains.size > MOST_DOMAINS) faults.addTooLong(attribute, label, MOST_DOMAINS)
  for (const domain of domains) {
    if (HOST.test(domainToASCII(domain))) continue
    faults.add(attribute, label, 'ERR_INVALID_DOMAIN_ON_LINE', `${domain} is not a valid domain name`)
  }
  return [...domains]
}

/**
 * The texts of a change as they are to be stored; null where nothing is to change.
 * @throws Failure validation with `details` for all that is too long or malformed
 */
export function checkProfile(change: ProfileChange): ProfileTexts {
  const faults = new Faults()
  const displayName = change.display_name?.trim() ?? null
  const note = change.note?.trim() ?? null
  const { avatar_description: avatarDescription = null, header_description: headerDescription = null } = change
  if (displayName !== null && countCodePoints(displayName) > LONGEST_DISPLAY_NAME) {
    faults.addTooLong('display_name', 'Display name', LONGEST_DISPLAY_NAME)
  }
  if (note !== null && countNote(note) > LONGEST_NOTE) faults.addTooLong('note', 'Note', LONGEST_NOTE)
  if (avatarDescription !== null && countCodePoints(avatarDescription) > LONGEST_DESCRIPTION) {
    faults.addTooLong('avatar_description', 'Avatar description', LONGEST_DESCRIPTION)
  }
  if (headerDescription !== null && countCodePoints(headerDescription) > LONGEST_DESCRIPTION) {
    faults.addTooLong('header_description', 'Header description', LONGEST_DESCRIPTION)
  }
  const fields = checkFields(change, faults)
  const domains = checkDomains(change, faults)
  faults.throwIfAny()
  return { displayName, note, avatarDescription, headerDescription, fields, domains }
}
