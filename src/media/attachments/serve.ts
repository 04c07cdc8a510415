import { Response, operation, param, redirect, type Context } from '../../platform/http/index.ts'
import { ApiError } from '../../core/errors.ts'
import { hasPermission, type Permission } from '../../core/permissions.ts'
import { isPublicKey, type StoredFile } from '../../platform/storage/index.ts'

/**
 * The content of a key never changes. Whatever a file contains, a browser that opens it runs no
 * script of it.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** The operator may move the files. */
const MOVED = { 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' }

/** What moderators need to see, who decide about appeals. */
const STAFF: readonly Permission[] = ['manage_reports', 'manage_users']

/** A file that is withheld from others, for moderators who are signed in. */
async function withheldFile({ storage, tokens, request }: Context, key: string): Promise<StoredFile | undefined> {
  const file = await storage.openWithheld(key)
  const viewer = file && (await tokens.browserUser(request))
  if (!viewer || viewer.suspended || viewer.state !== 'functional') return undefined
  return STAFF.some(permission => hasPermission(viewer, permission)) ? file : undefined
}

/**
 * Uploaded files: attachments, avatars, headers, emojis. Everybody who knows the key may read the
 * file, unless it is withheld, because its account is suspended or moderators have deleted its
 * status.
 */
export const serveFile = operation({
  method: 'GET',
  path: '/media/:kind/:first/:second/:name',
  auth: 'public',
  scopes: [],
  params: { kind: param.string(), first: param.string(), second: param.string(), name: param.string() },
  returns: 'file',
  summary: 'Show a stored file',
  cache: 'handler',
  async handle({ kind, first, second, name }, context) {
    const key = `${kind}/${first}/${second}/${name}`
    if (!isPublicKey(key)) throw new ApiError('routeNotFound')
    const file = await context.storage.open(key)
    if (!file) {
      const withheld = await withheldFile(context, key)
      if (!withheld) throw new ApiError('routeNotFound')
      return new Response(200, withheld.type, withheld, { ...HEADERS, 'Cache-Control': 'private, no-store' })
    }
    if ('url' in file) return redirect(file.url, 302, MOVED)
    return new Response(200, file.type, file, HEADERS)
  },
})
