import { ApiError } from '../../core/errors.ts'
import { param } from '../../platform/http/index.ts'
import { isValidTag } from '../../core/text/index.ts'

/** The hashtag in a path, without `#`. */
export const tagName = param.string({ description: 'the hashtag without #' })

/** @throws ApiError routeNotFound when it is not a valid hashtag */
export function requireTag(name: string): string {
  if (!isValidTag(name)) throw new ApiError('routeNotFound')
  return name
}
