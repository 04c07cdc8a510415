import { signedInPage } from '../account_settings/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { Response, param, redirect, type Context } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { fileHeaders } from './file_headers.ts'
import { csvOf, isTableName, TABLES } from './tables.ts'

const findArchive = query(
  'auth/data_export/archive',
  { user: c.id, id: c.id },
  { file_key: c.text, ready_at: c.nullable(c.timestamp) },
)

/** Downloads a CSV list for import by another server. */
export const downloadTable = signedInPage({
  path: '/settings/exports/:name',
  summary: 'Download a list of the account as CSV',
  params: { name: param.string() },
  returns: 'text/csv',
  async show({ name }, context, _, viewer) {
    const table = /^(\w+)\.csv$/.exec(name)?.[1] ?? ''
    if (!isTableName(table)) throw new ApiError('routeNotFound')
    const text = await csvOf(context, table, viewer.id)
    return new Response(200, 'text/csv; charset=utf-8', text, fileHeaders(TABLES[table].fileName))
  },
})

const pathOf = (id: Id): string => `/backups/${id}/archive.zip`

/** The archive, for its owner only. @throws ApiError notFound */
async function archiveOf({ database }: Context, viewer: Viewer, id: Id): Promise<{ key: string; fileName: string }> {
  const found = await database.one(findArchive, { user: viewer.userId, id })
  if (!found) throw new ApiError('notFound')
  const day = found.ready_at?.toISOString().slice(0, 10) ?? ''
  return { key: found.file_key, fileName: `archive-${viewer.username}-${day}.zip` }
}

/**
 * Redirects to the file: on this server, or at a presigned bucket URL that is valid for minutes.
 */
export const downloadArchive = signedInPage({
  path: '/backups/:id/download',
  summary: 'Download of an archive',
  params: { id: param.id() },
  returns: 'redirect',
  async show({ id }, context, _, viewer) {
    const { key, fileName } = await archiveOf(context, viewer, id)
    return redirect((await context.storage.temporaryUrl(key, fileName)) ?? pathOf(id), 302, {
      'Cache-Control': 'private, no-store',
    })
  },
})

/** Sends an archive file stored on this machine. */
export const sendArchive = signedInPage({
  path: '/backups/:id/archive.zip',
  summary: 'Download the file of an archive',
  params: { id: param.id() },
  returns: 'file',
  async show({ id }, context, _, viewer) {
    const { key, fileName } = await archiveOf(context, viewer, id)
    const file = await context.storage.open(key)
    if (!file || 'url' in file) throw new ApiError('notFound')
    return new Response(200, file.type, file, fileHeaders(fileName))
  },
})
