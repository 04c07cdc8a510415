import { Failure } from '../failure.ts'
import { decodeUtf8 } from './form.ts'
import { createTree, insertParameter, MAX_VALUES, type Tree, Upload } from './tree.ts'

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i
const DISPOSITION_MEMBER = /;\s*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gi
const EXTENDED = /^utf-8'[^']*'(.*)$/i
/** Encodings that leave the bytes as they are; RFC 7578 (4.7) forbids the others over HTTP. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])
const MAX_HEAD_BYTES = 16_384
const CRLF = '\r\n'

/**
 * The parameters of a `multipart/form-data` body (RFC 7578): parts with a file name as `Upload`, the others as text, names
 * with brackets as in `insertParameter`. A file field without a chosen file (no name, no bytes) is left out, as browsers mean it.
 * uWebSockets' own parser is not used: it passes a body that was cut off, cuts content at anything like the boundary, and
 * cannot read a quoted boundary.
 * @throws Failure malformedBody for anything that is not whole and well formed
 */
export function parseMultipart(bytes: Buffer, contentType: string): Tree {
  const tree = createTree()
  let parts = 0
  for (const part of splitParts(bytes, boundaryOf(contentType))) {
    if (++parts > MAX_VALUES) throw new Failure('malformedBody')
    const head = readHead(part.head)
    if (head.filename === undefined) insertParameter(tree, head.name, readText(part.content))
    else if (head.filename !== '' || part.content.length > 0)
      insertParameter(tree, head.name, new Upload(head.filename, head.type, part.content))
  }
  return tree
}

interface Part {
  head: Buffer
  content: Buffer
}

function boundaryOf(contentType: string): string {
  const match = BOUNDARY.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw new Failure('malformedBody')
  return boundary
}

function* splitParts(bytes: Buffer, boundary: string): Generator<Part> {
  let mark = findDelimiter(bytes, boundary, 0)
  while (!mark.last) {
    // The line break before a delimiter belongs to it; it may be the one that ends the boundary line or the head.
    const next = findDelimiter(bytes, boundary, mark.end - 2)
    const headEnd = bytes.indexOf(CRLF + CRLF, mark.end, 'latin1')
    if (headEnd < 0 || headEnd + 2 > next.start || headEnd - mark.end > MAX_HEAD_BYTES)
      throw new Failure('malformedBody')
    const start = headEnd + 4
    yield { head: bytes.subarray(mark.end, headEnd), content: bytes.subarray(start, Math.max(start, next.start)) }
    mark = next
  }
}

interface Delimiter {
  /** Where the line break before it starts. */
  start: number
  /** Where the next line starts. */
  end: number
  last: boolean
}

/** The next line that is the boundary and nothing else; lines that only begin like it are content. */
function findDelimiter(bytes: Buffer, boundary: string, from: number): Delimiter {
  const dashes = Buffer.from(`--${boundary}`, 'latin1')
  if (from === 0 && bytes.subarray(0, dashes.length).equals(dashes)) {
    const opening = readDelimiter(bytes, 0, dashes.length)
    if (opening) return opening
  }
  const mark = Buffer.concat([Buffer.from(CRLF), dashes])
  for (let start = bytes.indexOf(mark, from); start >= 0; start = bytes.indexOf(mark, start + mark.length)) {
    const found = readDelimiter(bytes, start, start + mark.length)
    if (found) return found
  }
  throw new Failure('malformedBody')
}

function readDelimiter(bytes: Buffer, start: number, after: number): Delimiter | undefined {
  if (bytes[after] === 0x2d && bytes[after + 1] === 0x2d) return { start, end: after + 2, last: true }
  let end = after
  while (bytes[end] === 0x20 || bytes[end] === 0x09) end++
  if (bytes[end] === 0x0d && bytes[end + 1] === 0x0a) return { start, end: end + 2, last: false }
  return undefined
}

function readHead(head: Buffer): { name: string; filename: string | undefined; type: string } {
  let disposition = ''
  let type = 'application/octet-stream'
  for (const line of decodeUtf8(head).split(CRLF)) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    const field = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (field === 'content-disposition') disposition = value
    else if (field === 'content-type') type = value.split(';', 1)[0]?.trim().toLowerCase() || type
    else if (field === 'content-transfer-encoding' && !PLAIN_ENCODINGS.has(value.toLowerCase()))
      throw new Failure('malformedBody')
  }
  const members = readDisposition(disposition)
  const name = members.get('name')
  if (name === undefined) throw new Failure('malformedBody')
  return { name, filename: members.get('filename*') ?? members.get('filename'), type }
}

function readDisposition(disposition: string): Map<string, string> {
  if (!/^form-data\b/i.test(disposition) || disposition.includes('\0')) throw new Failure('malformedBody')
  const members = new Map<string, string>()
  for (const [, member = '', quoted, bare = ''] of disposition.matchAll(DISPOSITION_MEMBER)) {
    const key = member.toLowerCase()
    members.set(key, key.endsWith('*') ? decodeExtended(bare) : unquote(quoted ?? bare))
  }
  return members
}

/** Browsers write `%22`, `%0D`, `%0A` for what a quoted name cannot hold (WHATWG HTML, multipart encoding), others `\"`. */
const unquote = (text: string): string =>
  text.replaceAll('\\"', '"').replace(/%22|%0d|%0a/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

function decodeExtended(text: string): string {
  const encoded = EXTENDED.exec(text)?.[1]
  if (encoded === undefined) throw new Failure('malformedBody')
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    throw new Failure('malformedBody', { cause: error })
  }
}

function readText(content: Buffer): string {
  if (content.includes(0)) throw new Failure('malformedBody')
  return decodeUtf8(content)
}
