import { violatedConstraint } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'

/**
 * The limit of keywords of an account, across its filters. The database enforces it (trigger
 * `filter_keywords_limited`).
 */
const MAX_KEYWORDS = 2000

/** By the constraint that a statement violates. */
const MESSAGES = {
  filters_most: 'You have reached the maximum number of filters',
  filter_keywords_most: 'You have reached the maximum number of filter keywords',
  filter_keywords_longest: 'You have reached the maximum length of all filter keywords (30000 characters)',
  filter_statuses_most: 'You have reached the maximum number of filtered posts',
} as const

/** A limit of filters, by the constraint that enforces it. */
export type FilterLimit = keyof typeof MESSAGES

const LIMITS = Object.keys(MESSAGES) as FilterLimit[]

/** The limit that the message of an error is about; undefined: none. */
export const limitIn = (message: string): FilterLimit | undefined =>
  LIMITS.find(limit => message.endsWith(MESSAGES[limit]))

/**
 * Turns a violated limit of filters into an error for the client.
 * @throws ApiError validation
 */
export async function withinLimits<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const limit = LIMITS.find(name => name === violatedConstraint(error))
    throw limit === undefined ? error : validationError(MESSAGES[limit])
  }
}

/** Rejects a number of keywords that exceeds the limit without counting the stored ones. */
export function checkKeywordCount(keywords: number): void {
  if (keywords > MAX_KEYWORDS) throw validationError(MESSAGES.filter_keywords_most)
}
