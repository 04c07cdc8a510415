import type { Id } from '../../core/id.ts'

/** A row of media_attachments, as JSON made by statements. */
export interface AttachmentRow {
  readonly id: Id
  readonly type: string
  readonly processing: string
  readonly file_key: string | null
  readonly preview_key: string | null
  readonly remote_url: string | null
  readonly meta: Record<string, unknown>
  readonly description: string | null
  readonly blurhash: string | null
}

/** The public URL of a stored file. */
export type FileUrl = (key: string) => string

/** The entity MediaAttachment. */
export function toAttachment(row: AttachmentRow, fileUrl: FileUrl): object {
  const ready = row.processing === 'done'
  return {
    id: row.id,
    type: row.type,
    url: ready && row.file_key !== null ? fileUrl(row.file_key) : row.remote_url,
    preview_url: row.preview_key === null ? null : fileUrl(row.preview_key),
    remote_url: row.remote_url,
    preview_remote_url: null,
    text_url: null,
    meta: row.meta,
    description: row.description,
    blurhash: row.blurhash,
  }
}
