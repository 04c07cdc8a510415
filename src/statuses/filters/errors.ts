import { validationError } from '../../core/errors.ts'
import { countCodePoints } from '../../core/text/index.ts'

export const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const
export const ACTIONS = ['warn', 'hide', 'blur'] as const

const TITLE_MOST = 256
const KEYWORD_MOST = 512

/** What is given of a filter; undefined is not looked at. */
export interface Given {
  readonly title?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly filter_action?: string | undefined
  readonly keywords?: readonly (string | undefined)[] | undefined
}

const isBlank = (text: string): boolean => text.trim() === ''

function* textFaults(label: string, text: string, most: number): Iterable<string> {
  if (isBlank(text)) yield `${label} can't be blank`
  else if (countCodePoints(text) > most) yield `${label} is too long (maximum is ${most} characters)`
}

function* contextFaults(context: readonly string[]): Iterable<string> {
  const unknown = context.some(name => !CONTEXTS.some(known => known === name))
  if (context.length === 0) yield "Context can't be blank"
  if (context.length === 0 || unknown) yield 'Context None or invalid context supplied'
}

function* faultsOf({ title, context, filter_action: action, keywords = [] }: Given): Iterable<string> {
  if (title !== undefined) yield* textFaults('Title', title, TITLE_MOST)
  if (context !== undefined) yield* contextFaults(context)
  if (action !== undefined && !ACTIONS.some(known => known === action)) yield 'Action is not included in the list'
  for (const keyword of keywords)
    if (keyword !== undefined) yield* textFaults('Keywords keyword', keyword, KEYWORD_MOST)
}

/**
 * Looks at all that is given of a filter at once, since the texts of several faults are joined (api/endpoints/filters_v2.json).
 * @throws ApiError validation
 */
export function checkFilter(given: Given): void {
  const faults = [...new Set(faultsOf(given))]
  if (faults.length > 0) throw validationError(...faults)
}

/** @throws ApiError validation for a keyword that is blank or too long */
export function checkKeyword(keyword: string): void {
  const faults = [...textFaults('Keyword', keyword, KEYWORD_MOST)]
  if (faults.length > 0) throw validationError(...faults)
}
