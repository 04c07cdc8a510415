import { resolveByHandle } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { lockReplacement, makePreview, storePicture, storing } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'
import { sniffMedia } from '../../platform/storage/index.ts'
import type { PageCard } from './facts.ts'
import { fetchImage } from './fetch.ts'

const save = query(
  'statuses/preview_cards/save',
  {
    url: c.text,
    type: c.text,
    title: c.text,
    description: c.text,
    language: c.nullable(c.text),
    author_name: c.text,
    author_url: c.text,
    creator: c.nullable(c.id),
    provider_name: c.text,
    provider_url: c.text,
    html: c.text,
    width: c.integer,
    height: c.integer,
    image_key: c.nullable(c.text),
    image_description: c.text,
    blurhash: c.nullable(c.text),
    embed_url: c.text,
    published_at: c.nullable(c.timestamp),
    article: c.boolean,
    page_url: c.text,
    keeps_image: c.boolean,
  },
  { id: c.id, unused: c.integer, events: c.events },
)

/** Stores the preview of the page at a URL, with its picture; returns the card's id. */
export async function storeCard(services: Services, url: string, facts: PageCard, signal: AbortSignal): Promise<Id> {
  return storing(services.storage, async stored => {
    const found = facts.imageUrl === null ? undefined : await storeImage(services, facts.imageUrl, stored, signal)
    const picture = found === 'unreachable' ? undefined : found
    // The size of embedded content comes from the page; the size of a plain link is that of its
    // picture.
    const { width, height } = facts.type === 'link' ? (picture ?? { width: 0, height: 0 }) : facts
    const creator = facts.creator === null ? null : ((await resolveByHandle(services, facts.creator)) ?? null)
    const card = {
      url,
      type: facts.type,
      title: facts.title,
      description: facts.description,
      language: facts.language,
      author_name: facts.authorName,
      author_url: facts.authorUrl,
      creator,
      provider_name: facts.providerName,
      provider_url: facts.providerUrl,
      html: facts.html,
      width,
      height,
      image_key: picture?.key ?? null,
      image_description: facts.imageDescription,
      blurhash: picture?.blurhash ?? null,
      embed_url: facts.embedUrl,
      published_at: facts.publishedAt,
      article: facts.isArticle,
      page_url: facts.pageUrl,
      keeps_image: found === 'unreachable',
    }
    const row = await services.database.transaction(async transaction => {
      await lockReplacement(transaction, 'preview_cards', url)
      return transaction.one(save, card)
    })
    if (!row) throw new Error('a card was not stored')
    return row.id
  })
}

/**
 * @returns undefined when the picture cannot be read: the card is shown without it; `unreachable`
 *   when it cannot be fetched
 */
async function storeImage({ outgoing, storage }: Services, url: string, stored: string[], signal: AbortSignal) {
  const bytes = await fetchImage(outgoing, url, { signal })
  if (!bytes) return 'unreachable'
  if (sniffMedia(bytes)?.kind !== 'image') return undefined
  try {
    const { preview, blurhash } = await makePreview(bytes)
    const key = await storePicture(storage, 'preview_cards', preview)
    stored.push(key)
    return { key, blurhash, width: preview.width, height: preview.height }
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return undefined
    throw error
  }
}
