import { ValidationErrors } from '../index.ts'
import { param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { countCodePoints, isValidTag } from '../../core/text/index.ts'

const NAME_MOST = 40
const DESCRIPTION_MOST = 100
/** The maximum number of accounts in a collection. */
export const MAX_ITEMS = 25
/** The error message beyond that number. */
export const TOO_MANY_ITEMS = `are too many, no more than ${MAX_ITEMS} are allowed`

/**
 * The fields of a collection. `checkFields` validates them all, so that the response lists every
 * error.
 */
export const fields = {
  name: param.string({ optional: true, trim: true, description: `at most ${NAME_MOST} characters` }),
  description: param.string({
    optional: true,
    nullable: true,
    trim: true,
    description: `plain text of at most ${DESCRIPTION_MOST} characters`,
  }),
  language: param.string({ optional: true, nullable: true, description: 'code of a language' }),
  tag_name: param.string({ optional: true, nullable: true, trim: true, description: 'a hashtag, with or without #' }),
  sensitive: param.boolean({ optional: true, description: 'hidden behind a warning' }),
  discoverable: param.boolean({ optional: true, description: 'listed publicly' }),
}

/** The given fields; undefined if omitted. */
export interface Input {
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly language: string | null | undefined
  readonly tag_name: string | null | undefined
  readonly sensitive: boolean | undefined
  readonly discoverable: boolean | undefined
}

/** The hashtag without `#`; null for none. */
export const tagIn = (given: string): string | null => given.replace(/^[#＃]/, '') || null

function checkTexts({ name, description, language, tag_name: written }: Input, faults: ValidationErrors): void {
  if (name === '') faults.add('name', 'Name', 'ERR_BLANK', "can't be blank")
  if (countCodePoints(name ?? '') > NAME_MOST) faults.addTooLong('name', 'Name', NAME_MOST)
  if (countCodePoints(description ?? '') > DESCRIPTION_MOST)
    faults.addTooLong('description', 'Description', DESCRIPTION_MOST)
  if (language && findLanguage(language) === undefined) faults.add('language', 'Language', 'ERR_INVALID', 'is invalid')
  const tag = tagIn(written ?? '')
  if (tag !== null && !isValidTag(tag)) addUnusableTag(faults)
}

/** Adds the error for an unusable hashtag. */
export const addUnusableTag = (faults: ValidationErrors): void =>
  faults.add('tag_name', 'Tag name', 'ERR_UNUSABLE', 'may not be used')

/** @throws ApiError validation with `details` of all errors of a change */
export function checkChange(given: Input): void {
  const faults = new ValidationErrors()
  checkTexts(given, faults)
  faults.throwIfAny()
}

/** The fields of a new collection. */
export interface Complete extends Input {
  readonly name: string
  readonly sensitive: boolean
  readonly discoverable: boolean
}

/**
 * Checks that all fields required for a new collection are given.
 * @throws ApiError validation with `details` of all invalid or missing fields
 */
export function requireComplete(given: Input, accounts: readonly Id[]): Complete {
  const { name = '', sensitive, discoverable } = given
  const faults = new ValidationErrors()
  checkTexts({ ...given, name }, faults)
  const unlisted = 'is not included in the list'
  if (sensitive === undefined) faults.add('sensitive', 'Sensitive', 'ERR_INCLUSION', unlisted)
  if (discoverable === undefined) faults.add('discoverable', 'Discoverable', 'ERR_INCLUSION', unlisted)
  if (accounts.length > MAX_ITEMS) faults.add('collection_items', 'Collection items', 'ERR_TOO_MANY', TOO_MANY_ITEMS)
  faults.throwIfAny()
  return { ...given, name, sensitive: sensitive === true, discoverable: discoverable === true }
}
