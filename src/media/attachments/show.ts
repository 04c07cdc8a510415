import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { json, operation, param, type Response } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { type AttachmentRow, toAttachment } from './attachment.ts'
import { wasNotProcessed } from './errors.ts'
import { ATTACHMENT } from './row.ts'

const own = query('media/attachments/own', { account: c.id, id: c.id }, ATTACHMENT)

/**
 * An unattached file of its owner.
 * @throws ApiError notFound
 */
export async function findOwn({ database }: Services, account: Id, id: Id): Promise<AttachmentRow> {
  const row = await database.one(own, { account, id })
  if (!row) throw new ApiError('notFound')
  return row
}

/**
 * 200 when it is ready, 206 while it is processed.
 * @throws ApiError `validation` when processing failed
 */
export function respondWithAttachment(row: AttachmentRow, { storage, config }: Services): Response {
  if (row.processing === 'failed') throw wasNotProcessed()
  return json(toAttachment(row, storage.url, config.publicUrl), row.processing === 'done' ? 200 : 206)
}

/** Clients poll this while a file is processed in the background. */
export const showMedia = operation({
  method: 'GET',
  path: '/api/v1/media/:id',
  auth: 'user',
  scopes: ['write:media'],
  summary: 'Show an own unattached file',
  params: { id: param.id() },
  returns: 'MediaAttachment',
  statuses: [200, 206],
  handle: async ({ id }, context) => respondWithAttachment(await findOwn(context, context.viewer.id, id), context),
})
