import { sizeMeta } from '../../media/attachments/index.ts'
import { parseUrl } from '../../core/parse_url.ts'
import { cutCodePoints } from '../../core/text/index.ts'
import { isObject, listOf, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { linkOf } from './note_parts.ts'

/* Parses the files that are attached to a Note of another server. */

const MAX_MEDIA = 4
const MAX_DESCRIPTION_CHARACTERS = 10_000
const MAX_SIDE = 100_000

export interface NoteMedia {
  readonly type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  readonly remote_url: string
  /** The picture that its server shows for a video or sound. */
  readonly preview_remote_url: string | null
  readonly description: string | null
  readonly blurhash: string | null
  readonly meta: Record<string, unknown>
}

const MEDIA_TYPES = new Set(['Document', 'Image', 'Video', 'Audio'])

/** BookWyrm states no media type. */
const EXTENSIONS: readonly (readonly [type: NoteMedia['type'], extension: RegExp])[] = [
  ['image', /\.(?:jpe?g|png|gif|webp|avif|hei[cf])$/i],
  ['video', /\.(?:mp4|m4v|webm|mov)$/i],
  ['audio', /\.(?:mp3|m4a|og[ag]|opus|flac|wav)$/i],
]

function typeByName(url: string): NoteMedia['type'] {
  const path = parseUrl(url)?.pathname ?? ''
  return EXTENSIONS.find(([, extension]) => extension.test(path))?.[0] ?? 'unknown'
}

/** The media type of a file, or of the link to it. */
function statedMediaType(item: JsonObject): string {
  const [link] = listOf(item['url'] ?? item['href'])
  return textOf(item['mediaType']) ?? (isObject(link) ? textOf(link['mediaType']) : undefined) ?? ''
}

function mediaTypeOf(mediaType: string, types: readonly string[], url: string): NoteMedia['type'] {
  if (mediaType.startsWith('image/') || types.includes('Image')) return 'image'
  if (mediaType.startsWith('video/') || types.includes('Video')) return 'video'
  if (mediaType.startsWith('audio/') || types.includes('Audio')) return 'audio'
  return mediaType === '' ? typeByName(url) : 'unknown'
}

const parseDimension = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_SIDE ? value : undefined

const isFocalCoordinate = (value: unknown): value is number => typeof value === 'number' && value >= -1 && value <= 1

function metaOf(item: JsonObject): Record<string, unknown> {
  const [width, height] = [parseDimension(item['width']), parseDimension(item['height'])]
  const [x, y] = listOf(item['focalPoint'])
  return {
    ...(width !== undefined && height !== undefined && { original: sizeMeta({ width, height }) }),
    ...(isFocalCoordinate(x) && isFocalCoordinate(y) && { focus: { x, y } }),
  }
}

/** A picture that stands for a file: its `icon`, an Image or a link to one. */
function coverOf(item: JsonObject): string | null {
  const [icon] = listOf(item['icon'])
  return linkOf(isObject(icon) ? (icon['url'] ?? icon['href']) : icon, () => false) ?? null
}

/** The first four attached files. */
export function mediaIn(note: JsonObject): NoteMedia[] {
  const result: NoteMedia[] = []
  for (const item of listOf(note['attachment'])) {
    if (result.length === MAX_MEDIA) break
    if (!isObject(item) || !typesOf(item).some(type => MEDIA_TYPES.has(type))) continue
    const url = linkOf(item['url'] ?? item['href'], () => false)
    if (url === undefined) continue
    const description = [item['summary'], item['name']].map(textOf).find(text => text !== undefined && text !== '')
    const blurhash = textOf(item['blurhash'])
    result.push({
      type: mediaTypeOf(statedMediaType(item), typesOf(item), url),
      remote_url: url,
      preview_remote_url: coverOf(item),
      description: description === undefined ? null : cutCodePoints(description, MAX_DESCRIPTION_CHARACTERS),
      blurhash: blurhash !== undefined && /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,100}$/.test(blurhash) ? blurhash : null,
      meta: metaOf(item),
    })
  }
  return result
}
