import { validationError } from '../../core/errors.ts'
import { countCodePoints } from '../../core/text/index.ts'

export const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export const ACTIONS = ['warn', 'hide', 'blur'] as const

const MAX_TITLE = 256
const MAX_KEYWORD = 512

/** The parameters of a filter; undefined ones are not checked. */
export interface Given {
  readonly title?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly filter_action?: string | undefined
  readonly keywords?: readonly (string | undefined)[] | undefined
}

const isBlank = (text: string): boolean => text.trim() === ''

function* textErrors(label: string, text: string, limit: number): Iterable<string> {
  if (isBlank(text)) yield `${label} can't be blank`
  else if (countCodePoints(text) > limit) yield `${label} is too long (maximum is ${limit} characters)`
}

function* contextFaults(context: readonly string[]): Iterable<string> {
  const unknown = context.some(name => !CONTEXTS.some(known => known === name))
  if (context.length === 0) yield "Context can't be blank"
  if (context.length === 0 || unknown) yield 'Context None or invalid context supplied'
}

function* faultsOf({ title, context, filter_action: action, keywords = [] }: Given): Iterable<string> {
  if (title !== undefined) yield* textErrors('Title', title, MAX_TITLE)
  if (context !== undefined) yield* contextFaults(context)
  if (action !== undefined && !ACTIONS.some(known => known === action)) yield 'Action is not included in the list'
  for (const keyword of keywords) if (keyword !== undefined) yield* textErrors('Keywords keyword', keyword, MAX_KEYWORD)
}

/**
 * Checks all parameters of a filter at once, because several messages are joined into one.
 * @throws ApiError validation
 */
export function checkFilter(given: Given): void {
  const faults = [...new Set(faultsOf(given))]
  if (faults.length > 0) throw validationError(...faults)
}

/** @throws ApiError validation for a keyword that is blank or too long */
export function checkKeyword(keyword: string): void {
  const faults = [...textErrors('Keyword', keyword, MAX_KEYWORD)]
  if (faults.length > 0) throw validationError(...faults)
}
