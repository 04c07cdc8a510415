import { c, query, type Row } from '../platform/database/index.ts'
import { validationError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { ADDRESSED } from './urls.ts'
import { type Draft, quotedMissing } from './draft.ts'

const findQuotable = query(
  'statuses/quotable',
  { viewer: c.id, status: c.id },
  {
    ...ADDRESSED,
    visibility: c.visibility,
    allowed: c.boolean,
  },
)

export type Quotable = Row<typeof findQuotable.columns>

/**
 * The status that a draft quotes; undefined for none.
 * @throws ApiError when the viewer may not quote it, without revealing whether it exists
 */
export async function requireQuotable(
  { database }: Services,
  viewer: Viewer,
  { quotedId }: Draft,
): Promise<Quotable | undefined> {
  if (quotedId === null) return undefined
  const quotable = await database.one(findQuotable, { viewer: viewer.id, status: quotedId })
  if (!quotable?.allowed) throw quotedMissing()
  return quotable
}

/** The draft with a quote: the quote of a private status is limited to the same readers. */
export function withQuoted(draft: Draft, quoted: Quotable | undefined): Draft {
  const isOpen = draft.visibility === 'public' || draft.visibility === 'unlisted'
  return quoted?.visibility === 'private' && isOpen ? { ...draft, visibility: 'private', quotePolicy: 'nobody' } : draft
}

/** @throws ApiError for a direct status that does not mention the quoted author */
export function requireMentioned(
  draft: Draft,
  author: Id,
  quoted: Quotable | undefined,
  mentioned: readonly Id[],
): void {
  if (!quoted || draft.visibility !== 'direct' || quoted.account_id === author) return
  if (!mentioned.includes(quoted.account_id))
    throw validationError('Cannot quote a non-mentioned user in a Private Mention post.')
}
