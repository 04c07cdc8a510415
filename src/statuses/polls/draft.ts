import { LIMITS } from '../../core/limits.ts'
import { validationError } from '../../core/errors.ts'
import { param } from '../../platform/http/index.ts'
import { countGraphemes } from '../../core/text/index.ts'

const {
  max_options: MAX_OPTIONS,
  max_characters_per_option: MAX_OPTION_CHARACTERS,
  min_expiration: MIN_EXPIRATION_S,
  max_expiration: MAX_EXPIRATION_S,
} = LIMITS.polls

/** The most code units of an option, since a character may consist of any number of them. */
const MAX_OPTION_CODE_UNITS = MAX_OPTION_CHARACTERS * 100

const isTooLong = (option: string): boolean =>
  option.length > MAX_OPTION_CODE_UNITS || countGraphemes(option) > MAX_OPTION_CHARACTERS

/** The parameter `poll` of a status, with its members `poll[options][]` and so on. */
export const pollParam = param.object(
  {
    options: param.strings({ optional: true, trim: true }),
    expires_in: param.integer({ optional: true }),
    multiple: param.boolean({ optional: true }),
    hide_totals: param.boolean({ optional: true }),
  },
  { optional: true, description: 'options: 2 to 4 texts; expires_in: seconds; multiple; hide_totals' },
)

/** The parameters of a poll. */
export interface PollInput {
  readonly options?: readonly string[] | undefined
  readonly expires_in?: number | undefined
  readonly multiple?: boolean | undefined
  readonly hide_totals?: boolean | undefined
}

/** A valid poll. */
export interface PollDraft {
  readonly options: readonly string[]
  readonly expiresInS: number
  /** Undefined when it was omitted: false, or unchanged in an edit. */
  readonly multiple: boolean | undefined
  readonly hideTotals: boolean
}

/**
 * Validates the poll; null for none, which an empty object also means.
 * @throws ApiError with the messages that clients expect, all that apply at once
 */
export function readPoll(input: PollInput | undefined): PollDraft | null {
  if (!input || Object.values(input).every(value => value === undefined)) return null
  const options = (input.options ?? []).map(option => option.trim()).filter(option => option !== '')
  const { expires_in: expiresInS } = input
  const errors = [...optionErrors(options), ...deadlineErrors(expiresInS)]
  if (errors.length > 0 || expiresInS === undefined) throw validationError(...errors)
  return { options, expiresInS, multiple: input.multiple, hideTotals: input.hide_totals ?? false }
}

function optionErrors(options: readonly string[]): string[] {
  const errors: string[] = []
  if (options.length < 2) errors.push('Choices must have more than one item')
  if (options.length > MAX_OPTIONS) errors.push(`Choices can't contain more than ${MAX_OPTIONS} items`)
  if (options.some(isTooLong)) errors.push(`Choices cannot be longer than ${MAX_OPTION_CHARACTERS} characters each`)
  if (new Set(options).size < options.length) errors.push('Choices contain duplicate items')
  return errors
}

function deadlineErrors(expiresInS: number | undefined): string[] {
  if (expiresInS === undefined) return ["Deadline can't be blank"]
  if (expiresInS < MIN_EXPIRATION_S) return ['Deadline is too soon']
  return expiresInS > MAX_EXPIRATION_S ? ['Deadline is too far into the future'] : []
}
