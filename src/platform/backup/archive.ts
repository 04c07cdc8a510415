import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Header } from 'tar'
import { BackupError } from './backup_error.ts'

const BLOCK = 512
/** Two empty blocks end a tar archive. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK)

const paddingBytes = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/** The block before the content of a file of an archive. */
export function headerOf(path: string, size: number, mtime: Date): Buffer {
  const block = Buffer.alloc(BLOCK)
  const header = new Header({ path, size, mtime, mode: 0o600, type: 'File', uid: 0, gid: 0 })
  if (header.encode(block)) throw new Error(`the path ${path} is too long for an archive`)
  return block
}

/** The bytes after the content of a file of this size. */
export const paddingOf = (size: number): Buffer => Buffer.alloc(paddingBytes(size))

export function* fileOf(path: string, content: Buffer): Generator<Buffer> {
  yield headerOf(path, content.length, new Date())
  yield content
  yield paddingOf(content.length)
}

const damaged = (cause?: unknown): BackupError =>
  new BackupError('The file is not a backup, or it is damaged', { cause })

/** Reads a stream in blocks of the sizes that the caller requests. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The next bytes, in pieces as they come. */
  async *chunks(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const piece = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }

  async whole(size: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.chunks(size)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  async #next(): Promise<Buffer> {
    const next = await this.#chunks.next().catch((error: unknown) => {
      throw damaged(error)
    })
    if (next.done === true) throw damaged()
    return next.value
  }
}

/** A file of an archive. Its content must be read whole before the next file. */
export interface ArchiveFile {
  readonly path: string
  readonly content: AsyncIterable<Buffer>
}

/**
 * The files of a gzipped tar archive, one after the other.
 * @throws BackupError when it is damaged or ends too early
 */
export async function* filesOf(packed: Readable): AsyncGenerator<ArchiveFile> {
  const unpacked = createGunzip()
  // A failure of either destroys the other; the reader below gets the error.
  pipeline(packed, unpacked, () => undefined)
  const bytes = new ByteReader(unpacked)
  for (;;) {
    const header = new Header(await bytes.whole(BLOCK))
    if (header.nullBlock) return
    const { path, size, type, cksumValid } = header
    if (!cksumValid || type !== 'File' || path === undefined || size === undefined) throw damaged()
    const content = bytes.chunks(size)
    yield { path, content }
    // The content of a file that the caller skips.
    for (let rest = await content.next(); rest.done !== true; rest = await content.next());
    await bytes.whole(paddingBytes(size))
  }
}

export async function contentOf({ content }: ArchiveFile): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}
