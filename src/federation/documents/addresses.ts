import type { Visibility } from '../../statuses/index.ts'
import type { Id } from '../../core/id.ts'
import { actorUri, followersUri, PUBLIC } from '../protocol/index.ts'

/** An account that a status mentions. */
export interface MentionedActor {
  readonly id: Id
  readonly username: string
  readonly domain: string | null
  readonly uri: string
  /** The followers collection of a group, which forwards statuses to it. */
  readonly followers: string | null
  /** False if the author is silenced and the account does not follow the author. */
  readonly addressed: boolean
}

export interface Addresses {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

export const mentionedUri = ({ id, domain, uri }: MentionedActor, publicUrl: string): string =>
  domain === null ? actorUri(publicUrl, id) : uri

/**
 * The members `to` and `cc` of a status or an activity about it.
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
    .flatMap(one => [mentionedUri(one, publicUrl), ...(one.followers ? [one.followers] : [])])
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
