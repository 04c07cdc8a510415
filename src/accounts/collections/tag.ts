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
 * The id of the given hashtag; null for none.
 * @throws ApiError validation with `details` if moderators have made it unusable
 */
export async function settleTag(transaction: Runner, given: string | null): Promise<Id | null> {
  const name = tagIn(given ?? '')
  if (name === null) return null
  const tag = await transaction.one(storeTag, { name: normaliseTag(name), display_name: displayTag(name) })
  if (tag?.usable) return tag.id
  const faults = new ValidationErrors()
  addUnusableTag(faults)
  faults.throwIfAny()
  return null
}
