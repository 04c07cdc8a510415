import { validationError } from '../../core/errors.ts'
import { countCodePoints } from '../../core/text/index.ts'

export const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export const ACTIONS = ['warn', 'hide', 'blur'] as const

const MAX_TITLE = 256
const MAX_KEYWORD = 512

/** The parameters of a filter; undefined ones are not checked. */
export interface Input {
  readonly title?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly filter_action?: string | undefined
  readonly keywords?: readonly (string | undefined)[] | undefined
}

/** The parts of a filter that can be invalid. */
type Part = 'title' | 'context' | 'filter_action' | 'keywords'

/** An invalid part of a filter. */
export interface FilterError {
  readonly part: Part
  readonly code: 'ERR_BLANK' | 'ERR_TOO_LONG' | 'ERR_INCLUSION'
  readonly message: string
}

const isBlank = (text: string): boolean => text.trim() === ''

function* textErrors(part: Part, label: string, text: string, limit: number): Iterable<FilterError> {
  if (isBlank(text)) yield { part, code: 'ERR_BLANK', message: `${label} can't be blank` }
  else if (countCodePoints(text) > limit)
    yield { part, code: 'ERR_TOO_LONG', message: `${label} is too long (maximum is ${limit} characters)` }
}

function* contextErrors(context: readonly string[]): Iterable<FilterError> {
  const unknown = context.some(name => !CONTEXTS.some(known => known === name))
  const part = 'context'
  if (context.length === 0) yield { part, code: 'ERR_BLANK', message: "Context can't be blank" }
  if (context.length === 0 || unknown)
    yield { part, code: 'ERR_INCLUSION', message: 'Context None or invalid context supplied' }
}

/** Everything that is invalid in the parameters of a filter. */
export function* filterErrors(input: Input): Iterable<FilterError> {
  const { title, context, filter_action: action, keywords = [] } = input
  if (title !== undefined) yield* textErrors('title', 'Title', title, MAX_TITLE)
  if (context !== undefined) yield* contextErrors(context)
  if (action !== undefined && !ACTIONS.some(known => known === action))
    yield { part: 'filter_action', code: 'ERR_INCLUSION', message: 'Action is not included in the list' }
  for (const keyword of keywords)
    if (keyword !== undefined) yield* textErrors('keywords', 'Keywords keyword', keyword, MAX_KEYWORD)
}

/**
 * Checks all parameters of a filter at once, because several messages are joined into one.
 * @throws ApiError validation
 */
export function checkFilter(input: Input): void {
  const messages = [...new Set([...filterErrors(input)].map(({ message }) => message))]
  if (messages.length > 0) throw validationError(...messages)
}

/** @throws ApiError validation for a keyword that is blank or too long */
export function checkKeyword(keyword: string): void {
  const messages = [...textErrors('keywords', 'Keyword', keyword, MAX_KEYWORD)].map(({ message }) => message)
  if (messages.length > 0) throw validationError(...messages)
}
