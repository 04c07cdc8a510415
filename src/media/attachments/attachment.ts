import type { Id } from '../../core/id.ts'

/** A row of media_attachments, as JSON made by statements. */
export interface AttachmentRow {
  readonly id: Id
  readonly type: string
  readonly processing: string
  readonly file_key: string | null
  readonly preview_key: string | null
  readonly remote_url: string | null
  readonly preview_remote_url: string | null
  readonly meta: Record<string, unknown>
  readonly description: string | null
  readonly blurhash: string | null
}

/** The public URL of a stored file. */
export type FileUrl = (key: string) => string

/**
 * The picture for videos whose server names none: clients leave out videos without a preview.
 */
export const NO_PREVIEW_PATH = '/pictures/no-preview.png'

/**
 * The preview: of a picture of another server without a copy, the picture itself; of a video or
 * sound, the picture that its server shows. The media proxy is not named, because a page of a
 * timeline would use up its limit.
 */
function previewUrl(row: AttachmentRow, fileUrl: FileUrl, publicUrl: string): string | null {
  if (row.preview_key !== null) return fileUrl(row.preview_key)
  if (row.remote_url === null) return null
  if (row.type === 'image') return row.file_key === null ? row.remote_url : fileUrl(row.file_key)
  if (row.preview_remote_url !== null) return row.preview_remote_url
  return row.type === 'video' || row.type === 'gifv' ? publicUrl + NO_PREVIEW_PATH : null
}

/** The entity MediaAttachment. */
export function toAttachment(row: AttachmentRow, fileUrl: FileUrl, publicUrl: string): object {
  const ready = row.processing === 'done'
  return {
    id: row.id,
    type: row.type,
    url: ready && row.file_key !== null ? fileUrl(row.file_key) : row.remote_url,
    preview_url: previewUrl(row, fileUrl, publicUrl),
    remote_url: row.remote_url,
    preview_remote_url: row.preview_remote_url,
    text_url: null,
    meta: row.meta,
    description: row.description,
    blurhash: row.blurhash,
  }
}
