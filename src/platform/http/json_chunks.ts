import { ownBytes } from '../../core/own_bytes.ts'

/** A string, or its UTF-8. */
export type Chunk = string | Uint8Array

/**
 * JSON text that is ready to be sent, such as rendered entities, in chunks. Chunks that are the
 * same for all viewers are cached as bytes, so that a page is assembled by copying memory: joining
 * strings and encoding them as UTF-8 takes ten times as long.
 */
export class Json {
  readonly pieces: readonly Chunk[]
  private joined: string | undefined

  constructor(text: string | readonly Chunk[]) {
    this.pieces = typeof text === 'string' ? [text] : text
    if (typeof text === 'string') this.joined = text
  }

  get text(): string {
    return (this.joined ??= this.pieces
      .map(piece =>
        typeof piece === 'string' ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString(),
      )
      .join(''))
  }

  toString(): string {
    return this.text
  }
}

/** A JSON array of rendered entities. */
export function list(items: readonly Json[]): Json {
  const pieces: Chunk[] = []
  let before = '['
  for (const item of items) {
    pieces.push(before)
    // Not spread: pages have hundreds of chunks.
    for (const piece of item.pieces) pieces.push(piece)
    before = ','
  }
  pieces.push(items.length === 0 ? '[]' : ']')
  return new Json(pieces)
}

/** Encodes several strings into one block of memory. */
export function encodeTogether<const T extends readonly string[]>(texts: T): { [K in keyof T]: Uint8Array } {
  const own = ownBytes(Buffer.from(texts.join('')))
  let at = 0
  const parts = texts.map(text => own.subarray(at, (at += Buffer.byteLength(text))))
  return parts as { [K in keyof T]: Uint8Array }
}

/** A character of a string takes at most this many bytes of UTF-8. */
const MAX_BYTES = 3

/**
 * Most of the strings are commas and brackets, for which a native call takes longer than a loop.
 */
const SHORT = 4
const LAST_OF_ASCII = 127

/** Writes a string as UTF-8. @returns the number of bytes */
function write(target: Buffer, text: string, at: number): number {
  const { length } = text
  if (length > SHORT) return target.write(text, at)
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > LAST_OF_ASCII) return target.write(text, at)
    target[at + index] = code
  }
  return length
}

let scratch = Buffer.allocUnsafeSlow(256 * 1024)
/** Memory for larger responses, such as the largest threads, is not reused. */
const MAX_SCRATCH_BYTES = 4 * 1024 * 1024

/** The bytes of the text, in memory that the next call reuses: send or copy them immediately. */
export function encode(json: Json): Buffer {
  let target = scratch
  let at = 0
  for (const piece of json.pieces) {
    const maxBytes = typeof piece === 'string' ? piece.length * MAX_BYTES : piece.length
    if (at + maxBytes > target.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (at + maxBytes))
      target.copy(larger, 0, 0, at)
      target = larger
    }
    if (typeof piece === 'string') at += write(target, piece, at)
    else {
      target.set(piece, at)
      at += piece.length
    }
  }
  if (target.length <= MAX_SCRATCH_BYTES) scratch = target
  return target.subarray(0, at)
}

/** Joins the chunks into one for a cache. */
export const concat = (pieces: readonly Chunk[]): Buffer => ownBytes(encode(new Json(pieces)))
