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
export function readPoll(given: PollInput | undefined): PollDraft | null {
  if (!given || Object.values(given).every(value => value === undefined)) return null
  const options = (given.options ?? []).map(option => option.trim()).filter(option => option !== '')
  const { expires_in: expiresInS } = given
  const faults = [...faultsOfOptions(options), ...faultsOfDeadline(expiresInS)]
  if (faults.length > 0 || expiresInS === undefined) throw validationError(...faults)
  return { options, expiresInS, multiple: given.multiple, hideTotals: given.hide_totals ?? false }
}

function faultsOfOptions(options: readonly string[]): string[] {
  const faults: string[] = []
  if (options.length < 2) faults.push('Choices must have more than one item')
  if (options.length > MAX_OPTIONS) faults.push(`Choices can't contain more than ${MAX_OPTIONS} items`)
  if (options.some(option => countGraphemes(option) > MAX_OPTION_CHARACTERS))
    faults.push(`Choices cannot be longer than ${MAX_OPTION_CHARACTERS} characters each`)
  if (new Set(options).size < options.length) faults.push('Choices contain duplicate items')
  return faults
}

function faultsOfDeadline(expiresInS: number | undefined): string[] {
  if (expiresInS === undefined) return ["Deadline can't be blank"]
  if (expiresInS < MIN_EXPIRATION_S) return ['Deadline is too soon']
  return expiresInS > MAX_EXPIRATION_S ? ['Deadline is too far into the future'] : []
}
