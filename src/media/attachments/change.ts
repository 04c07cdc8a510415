import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { descriptionOf } from './description.ts'
import { wasNotProcessed } from './errors.ts'
import { removeFiles, storing } from '../../platform/storage/files.ts'
import { type Focus, parseFocus } from './focus.ts'
import { ATTACHMENT } from './row.ts'
import { respondWithAttachment, findOwn } from './show.ts'
import { storeThumbnail } from './thumbnail.ts'
import { BODY_LIMIT_BYTES, DESCRIPTION_PARAMS } from './upload.ts'

const change = query(
  'media/attachments/change',
  {
    account: c.id,
    id: c.id,
    described: c.boolean,
    description: c.nullable(c.text),
    focused: c.boolean,
    focus: c.nullable(c.json<{ focus: Focus }>()),
    preview_key: c.nullable(c.text),
    blurhash: c.nullable(c.text),
    preview_meta: c.json<Record<string, unknown>>(),
    preview_bytes: c.bigint,
  },
  { ...ATTACHMENT, old_preview_key: c.nullable(c.text) },
)

/** Omitted attributes keep their values; an empty description or focus removes it. */
export const changeMedia = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/media/:id',
  auth: 'user',
  scopes: ['write:media'],
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Change the description, focus or preview of an unattached file',
  params: { id: param.id(), ...DESCRIPTION_PARAMS },
  returns: 'MediaAttachment',
  statuses: [200, 206],
  requireRecord: (id, context) => findOwn(context, context.viewer.id, id),
  async handle({ id, thumbnail, description, focus: focusText }, context) {
    const { viewer, database, storage } = context
    const focus = focusText === undefined ? null : parseFocus(focusText)
    const { type, processing } = await findOwn(context, viewer.id, id)
    if (processing === 'failed') throw wasNotProcessed()
    return storing(storage, async stored => {
      const preview = thumbnail && (await storeThumbnail(context, thumbnail, type, stored))
      const changed = await database.transaction(async transaction => {
        const row = await transaction.one(change, {
          account: viewer.id,
          id,
          described: description !== undefined,
          description: descriptionOf(description),
          focused: focusText !== undefined,
          focus: focus && { focus },
          preview_key: preview?.key ?? null,
          blurhash: preview?.blurhash ?? null,
          preview_meta: preview?.meta ?? {},
          preview_bytes: String(preview?.sizeBytes ?? 0),
        })
        if (row?.old_preview_key) await enqueue(transaction, removeFiles, { keys: [row.old_preview_key] })
        return row
      })
      if (!changed) throw new ApiError('notFound')
      return respondWithAttachment(changed, context)
    })
  },
})
