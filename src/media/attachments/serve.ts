import { Response, operation, param, redirect } from '../../platform/http/index.ts'
import { ApiError } from '../../core/errors.ts'
import { isPublicKey } from '../../platform/storage/index.ts'

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

/**
 * Uploaded files: attachments, avatars, headers, emojis. Everybody who knows the key may read the
 * file.
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
  async handle({ kind, first, second, name }, { storage }) {
    const key = `${kind}/${first}/${second}/${name}`
    const file = isPublicKey(key) ? await storage.open(key) : undefined
    if (!file) throw new ApiError('routeNotFound')
    if ('url' in file) return redirect(file.url, 302, MOVED)
    return new Response(200, file.type, file, HEADERS)
  },
})
