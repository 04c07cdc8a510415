import { c, query, type Row } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { hasPermission } from '../../core/permissions.ts'
import {
  html as htmlResponse,
  operation,
  param,
  redirect,
  type Response,
  type Context,
} from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { html, type Html } from '../../platform/ui/index.ts'
import { openWebSession } from '../../auth/sessions/index.ts'
import { copyRemote } from '../../media/attachments/index.ts'
import { mediaSources } from '../../platform/storage/index.ts'

const findAttachment = query(
  'web/media_pages/attachment',
  { viewer: c.nullable(c.id), id: c.id, moderates: c.boolean },
  {
    type: c.text,
    file_key: c.nullable(c.text),
    preview_key: c.nullable(c.text),
    remote_url: c.nullable(c.text),
    description: c.nullable(c.text),
    local: c.boolean,
    rejected: c.boolean,
  },
)

interface Posted {
  readonly type: string
  readonly url: string
  readonly previewUrl: string | null
  readonly description: string
  readonly local: boolean
}

/** Pages about a file depend on the signed-in user. */
const HEADERS = { 'Cache-Control': 'private, no-store', Vary: 'Cookie' }

/** Copies the file of another server unless there is a copy. @throws ApiError */
async function withCopy(
  context: Context<'public'>,
  row: Row<typeof findAttachment.columns> | undefined,
  parameters: { viewer: Id | null; id: Id; moderates: boolean },
): Promise<Row<typeof findAttachment.columns> | undefined> {
  if (row?.rejected) return undefined
  if (!row || row.file_key !== null || row.remote_url === null) return row
  const copied = await copyRemote(context, { id: parameters.id, type: row.type, remote_url: row.remote_url })
  return copied ? context.database.one(findAttachment, parameters) : undefined
}

/**
 * The file of a post that is visible to the visitor, or a response instead if the server is closed
 * to anonymous visitors.
 * @param copies whether a file of another server is copied first
 * @param evidence whether moderators of reports also get files of deleted posts that are evidence
 * @throws ApiError routeNotFound; remoteFailed when the other server gives no answer
 */
async function findPosted(
  context: Context<'public'>,
  id: Id,
  { copies = false, evidence = false }: { copies?: boolean; evidence?: boolean } = {},
): Promise<Posted | Response> {
  const { database, storage, settings } = context
  const webSession = await openWebSession(context)
  const viewer = webSession.viewer?.state === 'functional' && !webSession.viewer.suspended ? webSession.viewer : null
  if (!viewer && settings.get('limited_federation_mode')) return redirect('/auth/sign_in', 302, HEADERS)
  const moderates = evidence && viewer !== null && hasPermission(viewer, 'manage_reports')
  const parameters = { viewer: viewer?.id ?? null, id, moderates }
  const found = await database.one(findAttachment, parameters)
  const row = copies ? await withCopy(context, found, parameters) : found
  if (!row || row.file_key === null) throw new ApiError('routeNotFound')
  return {
    type: row.type,
    url: storage.url(row.file_key),
    previewUrl: row.preview_key === null ? null : storage.url(row.preview_key),
    description: row.description ?? '',
    local: row.local,
  }
}

const isAnswer = (found: Posted | Response): found is Response => 'status' in found

/** Redirects from the short URL of a local file. */
export const followMedia = operation({
  method: 'GET',
  path: '/media/:id',
  auth: 'public',
  scopes: [],
  params: { id: param.id() },
  returns: 'redirect',
  summary: 'Redirect to the file of an attachment',
  cache: 'handler',
  async handle({ id }, context) {
    const found = await findPosted(context, id)
    if (isAnswer(found)) return found
    if (!found.local) throw new ApiError('routeNotFound')
    return redirect(found.url, 302, HEADERS)
  },
})

const followCopy = (path: string, size: 'original' | 'small') =>
  operation({
    method: 'GET',
    path,
    auth: 'public',
    scopes: [],
    params: { id: param.id() },
    returns: 'redirect',
    summary: `A copy of an attachment, stored at its first use, ${size}`,
    cache: 'handler',
    async handle({ id }, context) {
      const found = await findPosted(context, id, { copies: true, evidence: true })
      if (isAnswer(found)) return found
      return redirect((size === 'small' ? found.previewUrl : null) ?? found.url, 302, HEADERS)
    },
  })

export const followCopies = [
  followCopy('/media_proxy/:id', 'original'),
  followCopy('/media_proxy/:id/original', 'original'),
  followCopy('/media_proxy/:id/small', 'small'),
]

function playerOf({ type, url, previewUrl, description }: Posted): Html {
  if (type === 'audio') return html`<audio src="${url}" controls preload="metadata" title="${description}"></audio>`
  const poster = previewUrl ?? ''
  return type === 'gifv'
    ? html`<video src="${url}" poster="${poster}" title="${description}" autoplay loop muted playsinline></video>`
    : html`<video src="${url}" poster="${poster}" title="${description}" controls preload="metadata"></video>`
}

/** The player for frames on other sites. The empty header removes the one that forbids frames. */
export const playMedia = operation({
  method: 'GET',
  path: '/media/:id/player',
  auth: 'public',
  scopes: [],
  params: { id: param.id() },
  returns: 'HTML',
  summary: 'Show a player for audio or video, for frames on other sites',
  cache: 'handler',
  page: true,
  async handle({ id }, context) {
    const found = await findPosted(context, id)
    if (isAnswer(found)) return found
    if (found.type !== 'audio' && found.type !== 'video' && found.type !== 'gifv') throw new ApiError('routeNotFound')
    const files = mediaSources(context.storage).join(' ')
    const document = html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${context.settings.get('site_title')}</title>
          <link rel="stylesheet" href="/assets/style.css" />
        </head>
        <body class="player">
          ${playerOf(found)}
        </body>
      </html>`
    return htmlResponse(document.text, 200, {
      ...HEADERS,
      'Content-Security-Policy': `default-src 'none'; media-src ${files}; img-src ${files}; style-src 'self'; base-uri 'none'; frame-ancestors *`,
      'X-Frame-Options': '',
    })
  },
})
