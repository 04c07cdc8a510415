import type { Visibility } from '../../statuses/index.ts'
import type { Id } from '../../core/id.ts'
import { actorUri, followersUri, PUBLIC } from '../protocol/index.ts'

/** Somebody whom a status mentions. */
export interface MentionedActor {
  readonly id: Id
  readonly username: string
  readonly domain: string | null
  readonly uri: string
  /** The followers of a group, to whom it forwards statuses. */
  readonly followers: string | null
  /** False for people whom a silenced author must not notify. */
  readonly addressed: boolean
}

export interface Addresses {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

export const uriOfMentioned = ({ id, domain, uri }: MentionedActor, publicUrl: string): string =>
  domain === null ? actorUri(publicUrl, id) : uri

/**
 * The audience of a status, as its documents name it.
 * @param extra other recipients, such as the author of a boosted status
 */
export function addressesOf(
  status: { readonly account_id: Id; readonly visibility: Visibility },
  mentions: readonly MentionedActor[],
  extra: readonly string[],
  publicUrl: string,
): Addresses {
  const followers = followersUri(publicUrl, status.account_id)
  const mentioned = mentions
    .filter(({ addressed }) => addressed)
    .flatMap(one => [uriOfMentioned(one, publicUrl), ...(one.followers ? [one.followers] : [])])
  const named = [...new Set([...mentioned, ...extra])]
  switch (status.visibility) {
    case 'public':
      return { to: [PUBLIC], cc: [followers, ...named] }
    case 'unlisted':
      return { to: [followers], cc: [PUBLIC, ...named] }
    case 'private':
      return { to: [followers], cc: named }
    case 'direct':
    case 'limited':
      return { to: named, cc: [] }
  }
}
