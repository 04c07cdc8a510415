import type { Json } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { parseUrl } from '../../core/parse_url.ts'

/** The parts of API entities that pages show. */

export interface ShownEmoji {
  readonly shortcode: string
  readonly static_url: string
}

export interface ShownMedia {
  readonly type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  readonly url: string | null
  readonly preview_url: string | null
  readonly description: string | null
  readonly meta: { readonly small?: { readonly width?: number; readonly height?: number } } | null
}

export interface ShownPoll {
  readonly expired: boolean
  readonly expires_at: string | null
  readonly votes_count: number
  readonly options: readonly { readonly title: string; readonly votes_count: number | null }[]
}

export interface ShownCard {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly provider_name: string
  readonly image: string | null
  readonly image_description: string
}

export interface ShownAccount {
  readonly id: Id
  readonly username: string
  readonly acct: string
  readonly display_name: string
  readonly note: string
  readonly url: string
  readonly uri: string
  readonly avatar_static: string
  readonly header_static: string
  readonly header_description: string
  readonly created_at: string
  readonly followers_count: number
  readonly following_count: number
  readonly statuses_count: number
  readonly noindex?: boolean
  readonly memorial?: boolean
  readonly moved?: ShownAccount | null
  readonly emojis: readonly ShownEmoji[]
  readonly fields: readonly { readonly name: string; readonly value: string; readonly verified_at: string | null }[]
}

export interface ShownStatus {
  readonly id: Id
  readonly created_at: string
  readonly edited_at: string | null
  readonly language: string | null
  readonly url: string | null
  readonly uri: string
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct'
  readonly spoiler_text: string
  readonly sensitive: boolean
  readonly content: string
  readonly in_reply_to_id: Id | null
  readonly replies_count: number
  readonly reblogs_count: number
  readonly favourites_count: number
  readonly account: ShownAccount
  readonly emojis: readonly ShownEmoji[]
  readonly tags: readonly ShownTag[]
  readonly media_attachments: readonly ShownMedia[]
  readonly poll: ShownPoll | null
  readonly card: ShownCard | null
  readonly reblog: ShownStatus | null
  readonly quote: { readonly quoted_status?: ShownStatus | null } | null
}

export interface ShownTag {
  readonly id: string
  readonly name: string
  readonly url: string
}

/** The entity CollectionWithAccounts; the curator is the first account. */
export interface ShownCollection {
  readonly accounts: readonly ShownAccount[]
  readonly collection: {
    readonly account_id: Id
    readonly url: string | null
    readonly name: string
    /** Plain text; HTML for remote collections. */
    readonly description: string | null
    readonly local: boolean
    readonly language: string | null
    readonly tag: ShownTag | null
    readonly items: readonly { readonly account_id?: Id }[]
  }
}

/** Parses entities rendered by this server, whose form is checked by the entity tests. */
export const parseStatus = ({ text }: Json): ShownStatus => JSON.parse(text) as ShownStatus
export const parseAccount = ({ text }: Json): ShownAccount => JSON.parse(text) as ShownAccount
export const parseTag = ({ text }: Json): ShownTag => JSON.parse(text) as ShownTag
export const parseCollection = ({ text }: Json): ShownCollection => JSON.parse(text) as ShownCollection

/** The origins of all files in a status, including other servers' files. */
export function originsOf({ account, emojis, media_attachments: media, card, quote, reblog }: ShownStatus): string[] {
  const files = [
    account.avatar_static,
    card?.image,
    ...[...emojis, ...account.emojis].map(emoji => emoji.static_url),
    ...media.flatMap(({ url, preview_url: preview }) => [url, preview]),
  ]
  const origins = files.flatMap(url => (url === null || url === undefined ? [] : (parseUrl(url)?.origin ?? [])))
  const within = [quote?.quoted_status, reblog].flatMap(inner => (inner ? originsOf(inner) : []))
  return [...new Set([...origins, ...within])]
}
