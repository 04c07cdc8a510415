import { violatedConstraint } from '../../platform/database/index.ts'
import { validationError } from '../../core/errors.ts'

/** Keywords of all filters of an account. The database holds to it (sql/migrations/0085_filter_limits.sql). */
export const KEYWORDS_MOST = 2000

/** By the constraint that a statement violates. */
const MESSAGES: Readonly<Record<string, string>> = {
  filters_most: 'You have reached the maximum number of filters',
  filter_keywords_most: 'You have reached the maximum number of filter keywords',
  filter_keywords_longest: 'You have reached the maximum length of all filter keywords (30000 characters)',
  filter_statuses_most: 'You have reached the maximum number of filtered posts',
}

/**
 * Tells the person who adds too much to filters what is too much.
 * @throws ApiError validation
 */
export async function withinLimits<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const message = MESSAGES[violatedConstraint(error) ?? '']
    throw message === undefined ? error : validationError(message)
  }
}

/** The same for so many keywords at once that they need not be written to be counted. */
export function checkKeywordCount(keywords: number): void {
  if (keywords > KEYWORDS_MOST) throw validationError('You have reached the maximum number of filter keywords')
}
