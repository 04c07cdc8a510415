import { c, query } from '../platform/database/index.ts'
import { operation, param } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import type { AccountFragment } from './fragment.ts'
import { findAccount } from './find_account.ts'

const findFeaturedTags = query(
  'accounts/featured_tags',
  { account: c.id },
  { id: c.id, name: c.text, tag: c.text, statuses_count: c.integer, last_status_at: c.nullable(c.date) },
)

/** The entity FeaturedTag. */
export interface FeaturedTag {
  id: Id
  name: string
  url: string
  statuses_count: string
  last_status_at: string | null
}

/** The hashtags on an account's profile. */
export async function featuredTagsOf(
  { database, config }: Services,
  account: Pick<AccountFragment, 'id' | 'acct'>,
): Promise<FeaturedTag[]> {
  const rows = await database.run(findFeaturedTags, { account: account.id })
  return rows.map(({ id, name, tag, statuses_count, last_status_at }) => ({
    id,
    name,
    url: `${config.publicUrl}/@${account.acct}/tagged/${encodeURIComponent(tag)}`,
    statuses_count: String(statuses_count),
    last_status_at,
  }))
}

const featuredTags = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/featured_tags',
  auth: 'optional',
  scopes: [],
  params: { id: param.id() },
  returns: '[FeaturedTag]',
  summary: "List the hashtags on an account's profile",
  async handle({ id }, context) {
    const account = await findAccount(context, context.viewer, id)
    return account.suspended ? [] : featuredTagsOf(context, account)
  },
})

export const operations = [featuredTags]
