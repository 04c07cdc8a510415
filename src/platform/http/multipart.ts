import { ApiError } from '../../core/errors.ts'
import { decodeUtf8 } from './form.ts'
import { createTree, insertParameter, MAX_VALUES, type ParamTree, Upload } from './tree.ts'

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s"]{1,200}))/i
const DISPOSITION_MEMBER = /;\s*([a-z]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gi
const EXTENDED = /^utf-8'[^']*'(.*)$/i
/** Encodings that leave the bytes unchanged; RFC 7578 (4.7) forbids the others over HTTP. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary'])
const MAX_HEAD_BYTES = 16_384
/** The limit of blanks after a boundary. */
const MAX_PADDING_BYTES = 256
const CRLF = '\r\n'

/** The headers of a part. */
export interface PartHead {
  readonly name: string
  /** Undefined: the part is a text. */
  readonly filename: string | undefined
  readonly type: string
}

/**
 * Receives the parts of a body in order: each begins, its content arrives in chunks, and it ends.
 */
export interface PartTaker {
  begin(head: PartHead): void
  /** A view of the pushed bytes. */
  take(content: Buffer): void
  end(): void
}

/**
 * The parameters of a `multipart/form-data` body (RFC 7578): parts with a file name as `Upload`,
 * the others as strings, with brackets in names as in `insertParameter`. A file field without a
 * chosen file (no name, no bytes) is omitted, as browsers intend. uWebSockets' own parser is not
 * used: it accepts a truncated body, cuts content at text that resembles the boundary, and cannot
 * read a quoted boundary.
 * @throws ApiError malformedBody for a body that is incomplete or malformed
 */
export function parseMultipart(bytes: Buffer, contentType: string): ParamTree {
  const tree = createTree()
  let head: PartHead | undefined
  let pieces: Buffer[] = []
  const reader = createMultipartReader(contentType, {
    begin(begun) {
      head = begun
      pieces = []
    },
    take: content => void pieces.push(content),
    end() {
      if (!head) return
      const content = pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)
      if (head.filename === undefined) insertParameter(tree, head.name, readText(content))
      else if (head.filename !== '' || content.length > 0)
        insertParameter(tree, head.name, new Upload(head.filename, head.type, content))
    },
  })
  reader.push(bytes)
  reader.end()
  return tree
}

/** Reads a body in chunks, and buffers no more than a part's headers or a boundary. */
export interface MultipartReader {
  /** The bytes must not change while chunks of them are in use. @throws ApiError malformedBody */
  push(bytes: Buffer): void
  /** Ends the body. @throws ApiError malformedBody when it is truncated */
  end(): void
}

/** @throws ApiError malformedBody without a boundary */
export const createMultipartReader = (contentType: string, taker: PartTaker): MultipartReader =>
  new Parts(boundaryOf(contentType), taker)

class Parts implements MultipartReader {
  readonly #taker: PartTaker
  readonly #dashes: Buffer
  readonly #mark: Buffer
  #state: 'opening' | 'before' | 'head' | 'content' | 'after' = 'opening'
  #parts = 0
  /** Pushed bytes that are not processed yet. */
  #rest: Buffer = Buffer.alloc(0)
  /** The line break that ends the headers may also begin a boundary; it is no content. */
  #skipped = 0

  constructor(boundary: string, taker: PartTaker) {
    this.#taker = taker
    this.#dashes = Buffer.from(`--${boundary}`, 'latin1')
    this.#mark = Buffer.concat([Buffer.from(CRLF), this.#dashes])
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    while (this.#step());
  }

  end(): void {
    if (this.#state !== 'after') throw new ApiError('malformedBody')
  }

  /** Whether the buffered bytes may contain more to read. */
  #step(): boolean {
    if (this.#state === 'after') {
      this.#rest = this.#rest.subarray(this.#rest.length)
      return false
    }
    if (this.#state === 'head') return this.#readPartHead()
    if (this.#state !== 'opening') return this.#readContent()
    const opening = this.#readOpening()
    if (opening === false) this.#state = 'before'
    return opening !== undefined
  }

  /** Whether the body begins with a boundary; undefined while that is undecided. */
  #readOpening(): boolean | undefined {
    const [rest, dashes] = [this.#rest, this.#dashes]
    const compared = Math.min(rest.length, dashes.length)
    if (!rest.subarray(0, compared).equals(dashes.subarray(0, compared))) return false
    const opening = compared < dashes.length ? undefined : readDelimiter(rest, dashes.length)
    if (opening) this.#pass(opening)
    return opening === undefined ? undefined : opening !== false
  }

  /**
   * Emits content up to the next line that consists of the boundary; lines that only begin with it
   * are content.
   */
  #readContent(): boolean {
    const [rest, mark] = [this.#rest, this.#mark]
    for (let start = rest.indexOf(mark); start >= 0; start = rest.indexOf(mark, start + mark.length)) {
      const found = readDelimiter(rest, start + mark.length)
      if (found === false) continue
      this.#takeContent(start)
      if (found) this.#pass(found)
      else this.#rest = rest.subarray(start)
      return found !== undefined
    }
    const tailBytes = Math.min(rest.length, mark.length - 1)
    this.#takeContent(rest.length - tailBytes)
    this.#rest = rest.subarray(rest.length - tailBytes)
    return false
  }

  #takeContent(until: number): void {
    const from = Math.min(this.#skipped, until)
    this.#skipped -= from
    if (this.#state === 'content' && until > from) this.#taker.take(this.#rest.subarray(from, until))
  }

  #pass(delimiter: Delimiter): void {
    if (this.#state === 'content') this.#taker.end()
    this.#rest = this.#rest.subarray(delimiter.end)
    this.#state = delimiter.last ? 'after' : 'head'
  }

  #readPartHead(): boolean {
    const rest = this.#rest
    const end = rest.indexOf(CRLF + CRLF, 0, 'latin1')
    if (end > MAX_HEAD_BYTES || (end < 0 && rest.length > MAX_HEAD_BYTES + 3)) throw new ApiError('malformedBody')
    if (end < 0) return false
    if (++this.#parts > MAX_VALUES) throw new ApiError('malformedBody')
    this.#taker.begin(readHead(rest.subarray(0, end), this.#dashes))
    this.#rest = rest.subarray(end + 2)
    this.#skipped = 2
    this.#state = 'content'
    return true
  }
}

function boundaryOf(contentType: string): string {
  const match = BOUNDARY.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw new ApiError('malformedBody')
  return boundary
}

interface Delimiter {
  /** The start of the next line. */
  readonly end: number
  readonly last: boolean
}

/**
 * Checks the rest of a boundary's line: false when it is no boundary, undefined when more bytes are
 * needed.
 */
function readDelimiter(bytes: Buffer, after: number): Delimiter | false | undefined {
  if (bytes[after] === 0x2d && bytes[after + 1] === 0x2d) return { end: after + 2, last: true }
  if (bytes[after] === 0x2d) return after + 1 < bytes.length ? false : undefined
  let end = after
  while (bytes[end] === 0x20 || bytes[end] === 0x09) end++
  if (end - after > MAX_PADDING_BYTES) return false
  if (bytes[end] === 0x0d && bytes[end + 1] === 0x0a) return { end: end + 2, last: false }
  return end >= bytes.length || (bytes[end] === 0x0d && end + 1 >= bytes.length) ? undefined : false
}

/** @throws ApiError malformedBody also when it contains a boundary */
function readHead(head: Buffer, dashes: Buffer): PartHead {
  let disposition = ''
  let type = 'application/octet-stream'
  for (const line of decodeUtf8(head).split(CRLF)) {
    if (line.startsWith(dashes.toString('latin1'))) throw new ApiError('malformedBody')
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trim()
    const field = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (field === 'content-disposition') disposition = value
    else if (field === 'content-type') type = value.split(';', 1)[0]?.trim().toLowerCase() || type
    else if (field === 'content-transfer-encoding' && !PLAIN_ENCODINGS.has(value.toLowerCase()))
      throw new ApiError('malformedBody')
  }
  const members = readDisposition(disposition)
  const name = members.get('name')
  if (name === undefined) throw new ApiError('malformedBody')
  return { name, filename: members.get('filename*') ?? members.get('filename'), type }
}

/** Whatever its type: RFC 7578 (4.2) demands `form-data`, but some clients send `attachment`. */
function readDisposition(disposition: string): Map<string, string> {
  if (disposition.includes('\0')) throw new ApiError('malformedBody')
  const members = new Map<string, string>()
  for (const [, member = '', quoted, bare = ''] of disposition.matchAll(DISPOSITION_MEMBER)) {
    const key = member.toLowerCase()
    members.set(key, key.endsWith('*') ? decodeExtended(bare) : unquote(quoted ?? bare))
  }
  return members
}

/**
 * Browsers write `%22`, `%0D`, `%0A` for characters that a quoted name cannot contain (WHATWG HTML,
 * multipart encoding), other clients `\"`.
 */
const unquote = (text: string): string =>
  text.replaceAll('\\"', '"').replace(/%22|%0d|%0a/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

function decodeExtended(text: string): string {
  const encoded = EXTENDED.exec(text)?.[1]
  if (encoded === undefined) throw new ApiError('malformedBody')
  try {
    return decodeURIComponent(encoded)
  } catch (error) {
    throw new ApiError('malformedBody', { cause: error })
  }
}

/** @throws ApiError malformedBody for invalid UTF-8 or a NUL */
export function readText(content: Buffer): string {
  if (content.includes(0)) throw new ApiError('malformedBody')
  return decodeUtf8(content)
}
