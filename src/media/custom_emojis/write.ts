import type { Id } from '../../core/id.ts'
import { c, query, violatedConstraint, type Database, type Row } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { lockReplacement, removeLater, storing } from '../../platform/storage/files.ts'
import { isElsewhere } from '../../platform/storage/index.ts'
import { storeEmojiPicture, type EmojiImage } from './picture.ts'

const EMOJI = {
  id: c.id,
  shortcode: c.text,
  domain: c.nullable(c.text),
  category: c.nullable(c.text),
  featured: c.boolean,
  visible_in_picker: c.boolean,
  disabled: c.boolean,
  image: c.json<EmojiImage>(),
}
const all = query(
  'media/custom_emojis/all',
  {
    remote: c.boolean,
    domain: c.nullable(c.text),
    shortcode: c.nullable(c.text),
    before: c.nullable(c.id),
    limit: c.nullable(c.integer),
  },
  EMOJI,
)
const byIds = query('media/custom_emojis/find', { ids: c.ids }, EMOJI)
const byShortcode = query('media/custom_emojis/by_shortcode', { shortcode: c.text }, { id: c.id })
const save = query(
  'media/custom_emojis/save',
  {
    moderator: c.nullable(c.id),
    shortcode: c.text,
    image: c.json<EmojiImage>(),
    category: c.nullable(c.text),
    visible: c.boolean,
    overwrite: c.boolean,
  },
  { replaced: c.texts, events: c.events },
)
const change = query(
  'media/custom_emojis/change',
  { moderator: c.nullable(c.id), ids: c.ids, change: c.text, category: c.nullable(c.text) },
  { amount: c.integer, events: c.events },
)
const remove = query(
  'media/custom_emojis/delete',
  { moderator: c.nullable(c.id), ids: c.ids },
  { amount: c.integer, replaced: c.texts, events: c.events },
)
const unfeature = query('media/custom_emojis/unfeature', { emoji: c.id }, {})
const feature = query(
  'media/custom_emojis/feature',
  { moderator: c.nullable(c.id), emoji: c.id },
  { id: c.id, events: c.events },
)

/** An emoji as administrators see it. */
export type StoredEmoji = Row<typeof EMOJI>

/** Selects emojis; an absent condition does not restrict them. */
export interface EmojiFilter {
  /** Emojis of other servers. */
  readonly isRemote: boolean
  readonly domain?: string | undefined
  /** A part of the shortcode. */
  readonly shortcode?: string | undefined
  readonly before?: Id | undefined
  readonly limit?: number | undefined
}

const SHORTCODE = /^[a-zA-Z0-9_]{2,128}$/

/** Whether a text can be a shortcode: 2 to 128 letters, digits and underscores. */
export const isShortcode = (text: string): boolean => SHORTCODE.test(text)

/** Emojis of every state, newest first. */
export const listEmojis = (database: Database, filter: EmojiFilter): Promise<StoredEmoji[]> =>
  database.run(all, {
    remote: filter.isRemote,
    domain: filter.domain ?? null,
    shortcode: filter.shortcode ?? null,
    before: filter.before ?? null,
    limit: filter.limit ?? null,
  })

/** The emojis with these ids that exist, in their order. */
export const findEmojis = (database: Database, ids: readonly Id[]): Promise<StoredEmoji[]> =>
  database.run(byIds, { ids: [...ids] })

/** The id of an emoji of this server; undefined if there is none with this shortcode. */
export const findEmojiId = async (database: Database, shortcode: string): Promise<Id | undefined> =>
  (await database.one(byShortcode, { shortcode }))?.id

/** An emoji to store. */
export interface NewEmoji {
  readonly shortcode: string
  readonly bytes: Buffer
  readonly category: string | null
  /** Whether pickers show it. */
  readonly isListed: boolean
  /** Whether it replaces an emoji with the same shortcode. */
  readonly overwrites: boolean
}

/**
 * Stores an emoji of this server; false if the shortcode exists and must not be overwritten.
 * @param moderator null: the operator
 * @throws UnsuitablePicture
 */
export async function saveEmoji(
  { database, storage }: Services,
  moderator: Id | null,
  { shortcode, bytes, category, isListed, overwrites }: NewEmoji,
): Promise<boolean> {
  return storing(storage, async stored => {
    const image = await storeEmojiPicture(storage, bytes, stored)
    return database.transaction(async transaction => {
      await lockReplacement(transaction, 'custom_emojis', shortcode)
      const saved = await transaction.one(save, {
        moderator,
        shortcode,
        image,
        category,
        visible: isListed,
        overwrite: overwrites,
      })
      await removeLater(transaction, saved ? saved.replaced : stored)
      return saved !== undefined
    })
  })
}

/** A change of several emojis; only those of this server are listed and have a category. */
export type EmojiChange =
  | { readonly change: 'enable' | 'disable' | 'list' | 'unlist' }
  | { readonly change: 'categorize'; readonly category: string | null }

/** Changes emojis; returns how many were different before. */
export async function changeEmojis(
  { database }: Services,
  moderator: Id | null,
  ids: readonly Id[],
  wanted: EmojiChange,
): Promise<number> {
  const category = wanted.change === 'categorize' ? wanted.category : null
  return (await database.one(change, { moderator, ids: [...ids], change: wanted.change, category }))?.amount ?? 0
}

/** Deletes emojis, and their files by a job; returns how many there were. */
export const deleteEmojis = (
  { database }: Pick<Services, 'database'>,
  moderator: Id | null,
  ids: readonly Id[],
): Promise<number> =>
  database.transaction(async transaction => {
    const gone = await transaction.one(remove, { moderator, ids: [...ids] })
    await removeLater(transaction, gone?.replaced.filter(key => !isElsewhere(key)) ?? [])
    return gone?.amount ?? 0
  })

/** How often an emoji is featured while others of its category are at the same moment. */
const FEATURE_ATTEMPTS = 5

/** Makes an emoji the picture of its category; false if it has none. */
export async function featureEmoji({ database }: Services, moderator: Id | null, emoji: Id): Promise<boolean> {
  const featured = (): Promise<boolean> =>
    database.transaction(async transaction => {
      await transaction.run(unfeature, { emoji })
      return (await transaction.one(feature, { moderator, emoji })) !== undefined
    })
  for (let left = FEATURE_ATTEMPTS - 1; ; left -= 1) {
    try {
      return await featured()
    } catch (error) {
      if (left === 0 || violatedConstraint(error) !== 'custom_emojis_featured') throw error
    }
  }
}
