import type { Id } from '../id.ts'
import type { Services } from '../services.ts'
import { renderPublicStatus } from '../statuses/index.ts'

export interface EmbeddedEmoji {
  readonly shortcode: string
  readonly static_url: string
}

export interface EmbeddedMedia {
  readonly type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  readonly url: string | null
  readonly preview_url: string | null
  readonly description: string | null
  readonly meta: { readonly small?: { readonly width?: number; readonly height?: number } } | null
}

export interface EmbeddedPoll {
  readonly expired: boolean
  readonly expires_at: string | null
  readonly votes_count: number
  readonly options: readonly { readonly title: string; readonly votes_count: number | null }[]
}

export interface EmbeddedCard {
  readonly url: string
  readonly title: string
  readonly description: string
  readonly provider_name: string
  readonly image: string | null
  readonly image_description: string
}

/** What the page of an embedded status shows of the entity Status. */
export interface EmbeddedStatus {
  readonly id: Id
  readonly created_at: string
  readonly edited_at: string | null
  readonly language: string | null
  readonly url: string | null
  readonly spoiler_text: string
  readonly sensitive: boolean
  readonly content: string
  readonly replies_count: number
  readonly reblogs_count: number
  readonly favourites_count: number
  readonly account: {
    readonly username: string
    readonly acct: string
    readonly display_name: string
    readonly url: string
    readonly avatar_static: string
    readonly emojis: readonly EmbeddedEmoji[]
  }
  readonly emojis: readonly EmbeddedEmoji[]
  readonly media_attachments: readonly EmbeddedMedia[]
  readonly poll: EmbeddedPoll | null
  readonly card: EmbeddedCard | null
  readonly quote: { readonly quoted_status?: EmbeddedStatus | null } | null
}

/** A status as everybody sees it; undefined when it has just gone. */
export async function loadEmbedded(services: Services, id: Id): Promise<EmbeddedStatus | undefined> {
  const rendered = await renderPublicStatus(services, id)
  // It is our own rendering, whose form the entity's tests hold.
  return rendered && (JSON.parse(rendered.text) as EmbeddedStatus)
}
