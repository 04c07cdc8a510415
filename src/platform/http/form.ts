import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../core/errors.ts'
import { createTree, insertParameter, MAX_VALUES, type ParamTree } from './tree.ts'

/**
 * The parameters of a query string (without the `?`), with brackets in names as in
 * `insertParameter`. A name without `=` is null.
 * @throws ApiError badRequest for broken percent-encoding, text that is not UTF-8, NUL, too many or
 * contradictory names
 */
export function parseQuery(text: string): ParamTree {
  // The server has decoded the raw bytes already and replaced invalid UTF-8 by U+FFFD. A real
  // U+FFFD arrives percent-encoded.
  if (text.includes('\ufffd')) throw new ApiError('badRequest')
  return parsePairs(text)
}

/** The parameters of an `application/x-www-form-urlencoded` body. Throws like `parseQuery`. */
export function parseForm(bytes: Uint8Array): ParamTree {
  return parsePairs(decodeUtf8(bytes))
}

/**
 * Decodes a segment of a path, where `+` stands for itself.
 * @throws ApiError badRequest for broken percent-encoding, text that is not UTF-8, or NUL
 */
export function decodeSegment(text: string): string {
  const decoded = text.includes('%') ? decodePercent(text) : text
  if (decoded.includes('\0')) throw new ApiError('badRequest')
  return decoded
}

/** @throws ApiError malformedBody when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ApiError('malformedBody')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function parsePairs(text: string): ParamTree {
  const tree = createTree()
  let start = 0
  let pairs = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end < 0) end = text.length
    if (end > start) {
      if (++pairs > MAX_VALUES) throw new ApiError('badRequest')
      insertPair(tree, text.slice(start, end))
    }
    start = end + 1
  }
  return tree
}

function insertPair(tree: ParamTree, pair: string): void {
  const equals = pair.indexOf('=')
  if (equals < 0) insertParameter(tree, decodeField(pair), null)
  else insertParameter(tree, decodeField(pair.slice(0, equals)), decodeField(pair.slice(equals + 1)))
}

function decodeField(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return decodeSegment(spaced)
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new ApiError('badRequest', { cause: error })
  }
}
