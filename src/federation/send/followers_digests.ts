import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, followersUri, idOf, isPublicAudience, listOf, parseObject } from '../protocol/index.ts'

const findDigests = query(
  'federation/send/followers_digests',
  { account: c.id, hosts: c.texts },
  { host: c.text, bits: c.nullable(c.text) },
)

const HEX_DIGITS = 64

/** Whether an activity is addressed to the followers of its actor and is not public. */
function isForFollowers(body: string, followers: string): boolean {
  const activity = parseObject(body)
  const audience = [...listOf(activity?.['to']), ...listOf(activity?.['cc'])].map(one => idOf(one) ?? '')
  return audience.includes(followers) && !audience.some(isPublicAudience)
}

/**
 * The values of the header Collection-Synchronization (FEP-8fcf) by host, for activities that are
 * addressed to followers only: digests of the followers on each host. Hosts without followers have
 * none.
 */
export async function followersDigests(
  { config, database }: Services,
  sender: Id | null,
  body: string,
  hosts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (sender === null || !config.followersSynchronization) return new Map()
  const followers = followersUri(config.publicUrl, sender)
  if (!isForFollowers(body, followers)) return new Map()
  const url = `${actorUri(config.publicUrl, sender)}/followers_synchronization`
  const rows = await database.run(findDigests, { account: sender, hosts: [...hosts] })
  return new Map(
    rows.map(({ host, bits }) => {
      const digest = BigInt(`0b${bits ?? '0'}`)
        .toString(16)
        .padStart(HEX_DIGITS, '0')
      return [host, `collectionId="${followers}", digest="${digest}", url="${url}"`]
    }),
  )
}
