import { ValidationErrors } from '../index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { displayTag, normaliseTag } from '../../core/text/index.ts'
import { addUnusableTag, tagIn } from './fields.ts'

const storeTag = query(
  'accounts/collections/tag',
  { name: c.text, display_name: c.text },
  { id: c.id, usable: c.boolean },
)

/**
 * The id of a hashtag, which is stored if it is new; null for none.
 * @throws ApiError validation with `details` if moderators have made it unusable
 */
export async function findOrStoreTag(transaction: Runner, hashtag: string | null): Promise<Id | null> {
  const name = tagIn(hashtag ?? '')
  if (name === null) return null
  const tag = await transaction.one(storeTag, { name: normaliseTag(name), display_name: displayTag(name) })
  if (tag?.usable) return tag.id
  const errors = new ValidationErrors()
  addUnusableTag(errors)
  errors.throwIfAny()
  return null
}
