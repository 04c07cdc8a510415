import { createHash } from 'node:crypto'
import type { Request } from './request.ts'

/** A weak validator of a body, since the same bytes are sent compressed or not. */
export const etagOf = (body: string | Buffer): string =>
  `W/"${createHash('sha1').update(body).digest('base64url').slice(0, 22)}"`

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether If-None-Match contains this validator. */
export const matchesEtag = (ifNoneMatch: string, etag: string | undefined): boolean =>
  ifNoneMatch.trim() === '*' || (etag !== undefined && ifNoneMatch.split(',').some(tag => opaque(tag) === opaque(etag)))

/**
 * Whether the client has the current version (RFC 9110, section 13.1): If-None-Match takes
 * precedence over If-Modified-Since.
 */
export function notModified(request: Request, etag: string | undefined, modifiedAt: Date | undefined): boolean {
  const known = request.header('if-none-match')
  if (known !== '') return matchesEtag(known, etag)
  const since = Date.parse(request.header('if-modified-since'))
  return modifiedAt !== undefined && !Number.isNaN(since) && Math.floor(modifiedAt.getTime() / 1000) * 1000 <= since
}

/**
 * The requested byte range, both ends included. Undefined when none or several are requested, or
 * the header is malformed: then the whole is sent (RFC 9110, section 14.2).
 */
export function parseRange(
  header: string,
  sizeBytes: number,
): { first: number; last: number } | 'unsatisfiable' | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!found) return undefined
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return first > last || first >= sizeBytes ? 'unsatisfiable' : { first, last }
}
