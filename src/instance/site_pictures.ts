import { encode } from 'blurhash'
import type { Sharp } from 'sharp'
import type { Id } from '../core/id.ts'
import { c, query } from '../platform/database/index.ts'
import { eventCache } from '../platform/cache/event_cache.ts'
import { perServer, type Services } from '../platform/services.ts'
import { lockReplacement, removeLater, storing } from '../platform/storage/files.ts'
import { loadSharp, makeKey } from '../platform/storage/index.ts'

/** The administrator's pictures, which replace the built-in ones. */

export const SITE_PICTURES = ['thumbnail', 'app_icon', 'favicon', 'mascot'] as const
export type SitePictureName = (typeof SITE_PICTURES)[number]

/**
 * A picture and its versions: `@1x` and `@2x` of the thumbnail, `original` of the mascot, side
 * lengths in pixels of the icons.
 */
export interface SitePicture {
  /** URLs by version. */
  readonly urls: Readonly<Record<string, string>>
  readonly blurhash: string | null
}

const findPictures = query(
  'instance/site_pictures',
  {},
  { name: c.text, keys: c.json<Record<string, string>>(), blurhash: c.nullable(c.text) },
)
const savePicture = query(
  'instance/save_site_picture',
  {
    moderator: c.nullable(c.id),
    name: c.text,
    keys: c.json<Record<string, string>>(),
    blurhash: c.nullable(c.text),
  },
  { replaced: c.texts, events: c.events },
)
const removePicture = query(
  'instance/remove_site_picture',
  { moderator: c.nullable(c.id), name: c.text },
  { replaced: c.texts, events: c.events },
)

export const ICON_SIDES = [36, 48, 72, 96, 144, 192, 256, 384, 512] as const
const FAVICON_SIDES = [16, 32, 48] as const
const LIMIT_PIXELS = 33_177_600
const MAX_MASCOT_SIDE_LENGTH = 1024

const square = (from: () => Sharp, side: number): Sharp => from().resize(side, side, { fit: 'cover' })

const icons = (from: () => Sharp, sides: readonly number[]): Record<string, Sharp> =>
  Object.fromEntries(sides.map(side => [String(side), square(from, side)]))

/** The versions of a picture as PNG. */
function versionsOf(name: SitePictureName, from: () => Sharp): Record<string, Sharp> {
  switch (name) {
    case 'thumbnail':
      return { '@1x': from().resize(1200, 630), '@2x': from().resize(2400, 1260) }
    case 'app_icon':
      return icons(from, ICON_SIDES)
    case 'favicon':
      return icons(from, FAVICON_SIDES)
    case 'mascot':
      return {
        original: from().resize(MAX_MASCOT_SIDE_LENGTH, MAX_MASCOT_SIDE_LENGTH, {
          fit: 'inside',
          withoutEnlargement: true,
        }),
      }
  }
}

/** A blurhash with 4 × 4 components. */
async function blurhashOf(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize(64, 34, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return encode(new Uint8ClampedArray(data), info.width, info.height, 4, 4)
}

/** The bytes are not a picture that can be read. */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture'
}

interface Encoded {
  readonly files: ReadonlyMap<string, Buffer>
  readonly blurhash: string | null
}

/** @throws UnreadablePicture */
async function encodeVersions(name: SitePictureName, bytes: Uint8Array): Promise<Encoded> {
  const sharp = await loadSharp()
  const from = (): Sharp => sharp(bytes, { limitInputPixels: LIMIT_PIXELS, failOn: 'error' }).autoOrient()
  try {
    const blurhash = name === 'thumbnail' ? await blurhashOf(from()) : null
    const files = new Map<string, Buffer>()
    for (const [version, image] of Object.entries(versionsOf(name, from))) {
      files.set(version, await image.png({ compressionLevel: 9 }).toBuffer())
    }
    return { files, blurhash }
  } catch (error) {
    throw new UnreadablePicture('The picture cannot be used', { cause: error })
  }
}

/**
 * Replaces a picture, in all server processes at once. Accepts any common format.
 * @param moderator null: the operator
 * @throws UnreadablePicture
 */
export async function storeSitePicture(
  { database, storage }: Services,
  name: SitePictureName,
  bytes: Uint8Array,
  moderator: Id | null,
): Promise<void> {
  const { files, blurhash } = await encodeVersions(name, bytes)
  await storing(storage, async stored => {
    const keys: Record<string, string> = {}
    for (const [version, file] of files) {
      const key = makeKey('site', 'png')
      await storage.put(key, file, 'image/png')
      stored.push(key)
      keys[version] = key
    }
    await database.transaction(async transaction => {
      await lockReplacement(transaction, 'site_pictures', name)
      const saved = await transaction.one(savePicture, { moderator, name, keys, blurhash })
      await removeLater(transaction, saved?.replaced ?? [])
    })
  })
}

/** Restores the built-in picture. False if it was not replaced. */
export const removeSitePicture = (
  { database }: Services,
  name: SitePictureName,
  moderator: Id | null,
): Promise<boolean> =>
  database.transaction(async transaction => {
    const removed = await transaction.one(removePicture, { moderator, name })
    await removeLater(transaction, removed?.replaced ?? [])
    return removed !== undefined
  })

type SitePictures = Readonly<Partial<Record<string, SitePicture>>>

const ALL = 'all'

/** The administrator's pictures, cached until one changes. */
export const sitePictures: (services: Services) => () => Promise<SitePictures> = perServer(services => {
  const { database, storage } = services
  const fragments = eventCache<SitePictures>(services, {
    name: 'site_pictures',
    async load() {
      const rows = await database.run(findPictures, {})
      const pictures = rows.map(({ name, keys, blurhash }): [string, SitePicture] => {
        const urls = Object.entries(keys).map(([version, key]): [string, string] => [version, storage.url(key)])
        return [name, { urls: Object.fromEntries(urls), blurhash }]
      })
      return new Map([[ALL, Object.fromEntries(pictures)]])
    },
    drops: { 'instance.changed': event => (event.data.change === 'pictures' ? 'all' : []) },
  })
  return async () => (await fragments.one(ALL)) ?? {}
})

/** The URL of the administrator's picture in its first size; undefined for the built-in one. */
export const sitePicture = async (services: Services, name: SitePictureName): Promise<string | undefined> =>
  Object.values((await sitePictures(services)())[name]?.urls ?? {})[0]
