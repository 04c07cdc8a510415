import type { Upload } from '../platform/http/index.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { LIMITS } from '../core/limits.ts'
import { descriptionOf, type Focus, parseFocus, storeThumbnail, type Thumbnail } from '../media/attachments/index.ts'
import type { Services } from '../platform/services.ts'
import type { MediaRow } from './resolve_references.ts'

const { image_size_limit: IMAGE_BYTES, description_limit: MAX_DESCRIPTION_LENGTH } = LIMITS.media_attachments

/** For a body with texts and a thumbnail for each attachment. */
export const THUMBNAILS_LIMIT_BYTES = LIMITS.statuses.max_media_attachments * IMAGE_BYTES + 1024 * 1024

/** The parameter `media_attributes`. */
export const mediaAttributes = param.objects(
  {
    id: param.id({ optional: true, invalid: 'missing' }),
    description: param.string({ optional: true, max: MAX_DESCRIPTION_LENGTH }),
    focus: param.string({ optional: true }),
    thumbnail: param.upload({ optional: true }),
  },
  { default: [] },
)

/**
 * A change of an attachment in an edit, as the parameters of its statement; absent members keep
 * their values.
 */
export interface MediaChange {
  readonly id: Id
  /** Null removes it. */
  readonly description?: string | null
  /** Null removes it. */
  readonly focus?: Focus | null
  readonly preview?: Thumbnail
}

/** A change whose thumbnail is not stored yet. */
interface Draft {
  readonly change: MediaChange
  readonly thumbnail: Upload | undefined
}

interface Input {
  readonly id: Id | undefined
  readonly description: string | undefined
  readonly focus: string | undefined
  readonly thumbnail: Upload | undefined
}

/** A change without an id has no effect, nor has that of an attachment of another status. */
export const readChanges = (inputs: readonly Input[]): Draft[] =>
  inputs.flatMap(({ id, description, focus, thumbnail }) => {
    if (id === undefined) return []
    const change = {
      id,
      ...(description !== undefined && { description: descriptionOf(description) }),
      ...(focus !== undefined && { focus: parseFocus(focus) }),
    }
    return { change, thumbnail }
  })

/**
 * Stores the thumbnails of the attachments that the status will have.
 * @param stored receives the keys
 * @throws ApiError for a thumbnail that is not a picture, or of an attachment that is one
 */
export async function storeThumbnails(
  services: Services,
  drafts: readonly Draft[],
  media: readonly MediaRow[],
  stored: string[],
): Promise<MediaChange[]> {
  const changes: MediaChange[] = []
  for (const { change, thumbnail } of drafts) {
    const type = media.find(({ id }) => id === change.id)?.type
    const preview = thumbnail && type !== undefined && (await storeThumbnail(services, thumbnail, type, stored))
    changes.push({ ...change, ...(preview && { preview }) })
  }
  return changes
}
