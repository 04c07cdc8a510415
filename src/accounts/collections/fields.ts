import { ValidationErrors } from '../index.ts'
import { param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { countCodePoints, isValidTag } from '../../core/text/index.ts'

const MAX_NAME_CHARACTERS = 40
const MAX_DESCRIPTION_CHARACTERS = 100
/** The maximum number of accounts in a collection. */
export const MAX_ITEMS = 25
/** The error message beyond that number. */
export const TOO_MANY_ITEMS = `are too many, no more than ${MAX_ITEMS} are allowed`

/**
 * The fields of a collection. `checkFields` validates them all, so that the response lists every
 * error.
 */
export const fields = {
  name: param.string({ optional: true, trim: true, description: `at most ${MAX_NAME_CHARACTERS} characters` }),
  description: param.string({
    optional: true,
    nullable: true,
    trim: true,
    description: `plain text of at most ${MAX_DESCRIPTION_CHARACTERS} characters`,
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
export const tagIn = (tag: string): string | null => tag.replace(/^[#＃]/, '') || null

function checkTexts({ name, description, language, tag_name: written }: Input, errors: ValidationErrors): void {
  if (name === '') errors.add('name', 'Name', 'ERR_BLANK', "can't be blank")
  if (countCodePoints(name ?? '') > MAX_NAME_CHARACTERS) errors.addTooLong('name', 'Name', MAX_NAME_CHARACTERS)
  if (countCodePoints(description ?? '') > MAX_DESCRIPTION_CHARACTERS)
    errors.addTooLong('description', 'Description', MAX_DESCRIPTION_CHARACTERS)
  if (language && findLanguage(language) === undefined) errors.add('language', 'Language', 'ERR_INVALID', 'is invalid')
  const tag = tagIn(written ?? '')
  if (tag !== null && !isValidTag(tag)) addUnusableTag(errors)
}

/** Adds the error for an unusable hashtag. */
export const addUnusableTag = (errors: ValidationErrors): void =>
  errors.add('tag_name', 'Tag name', 'ERR_UNUSABLE', 'may not be used')

/** @throws ApiError validation with `details` of all errors of a change */
export function checkChange(input: Input): void {
  const errors = new ValidationErrors()
  checkTexts(input, errors)
  errors.throwIfAny()
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
export function requireComplete(input: Input, accounts: readonly Id[]): Complete {
  const { name = '', sensitive, discoverable } = input
  const errors = new ValidationErrors()
  checkTexts({ ...input, name }, errors)
  const unlisted = 'is not included in the list'
  if (sensitive === undefined) errors.add('sensitive', 'Sensitive', 'ERR_INCLUSION', unlisted)
  if (discoverable === undefined) errors.add('discoverable', 'Discoverable', 'ERR_INCLUSION', unlisted)
  if (accounts.length > MAX_ITEMS) errors.add('collection_items', 'Collection items', 'ERR_TOO_MANY', TOO_MANY_ITEMS)
  errors.throwIfAny()
  return { ...input, name, sensitive: sensitive === true, discoverable: discoverable === true }
}
