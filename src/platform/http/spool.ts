import { close, openSync, write, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ApiError } from '../../core/errors.ts'
import { GatheredBytes } from './gathered_bytes.ts'
import { createMultipartReader, readText, type PartHead } from './multipart.ts'
import { createTree, insertParameter, Upload, type ParamTree } from './tree.ts'

const writeLater = promisify(write)
const closeLater = promisify(close)

/** The limit of all fields of a form that are not files. */
const MAX_TEXT_BYTES = 1024 * 1024
/** No operation accepts as many files. */
const MAX_FILES = 16

function unavailable(error: unknown): never {
  throw new ApiError('unavailable', { cause: error })
}

/** Receives a body as it arrives, on its way to the disk. */
export interface Spool {
  /**
   * Takes the next bytes, which must not change until they are written. @throws ApiError when they
   * are invalid
   */
  push(bytes: Buffer): void
  /** The number of bytes taken but not yet written. */
  readonly waitingBytes: number
  /** Writes the waiting bytes. @throws ApiError unavailable when the disk is full */
  write(): Promise<void>
  /** The same synchronously, which blocks the event loop. */
  writeNow(): void
  close(): Promise<void>
}

/**
 * A file that is written in chunks. Each chunk has its position, so the order of writes does not
 * matter.
 */
class SpooledFile implements Spool {
  readonly path: string
  sizeBytes = 0
  waitingBytes = 0
  readonly #descriptor: number
  readonly #waiting = new GatheredBytes()
  #head = Buffer.alloc(0)

  constructor(file: string) {
    this.path = file
    try {
      this.#descriptor = openSync(file, 'wx', 0o600)
    } catch (error) {
      unavailable(error)
    }
  }

  push(bytes: Buffer): void {
    if (this.#head.length < Upload.HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, Upload.HEAD_BYTES - this.#head.length)])
    }
    this.#waiting.addOwn(bytes)
    this.sizeBytes += bytes.byteLength
    this.waitingBytes += bytes.byteLength
  }

  get head(): Buffer {
    return this.#head
  }

  #takeWaiting(): { bytes: Buffer; at: number }[] {
    let end = this.sizeBytes - this.#waiting.sizeBytes
    return this.#waiting.takeAll().map(bytes => {
      const at = end
      end += bytes.length
      return { bytes, at }
    })
  }

  async write(): Promise<void> {
    for (const { bytes, at } of this.#takeWaiting()) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await writeLater(this.#descriptor, bytes, done, bytes.length - done, at + done).catch(
          unavailable,
        )
        done += bytesWritten
      }
      this.waitingBytes -= bytes.length
    }
  }

  writeNow(): void {
    try {
      for (const { bytes, at } of this.#takeWaiting()) {
        for (let done = 0; done < bytes.length;)
          done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done)
        this.waitingBytes -= bytes.length
      }
    } catch (error) {
      unavailable(error)
    }
  }

  close(): Promise<void> {
    return closeLater(this.#descriptor)
  }
}

interface Part {
  readonly head: PartHead
  readonly text: GatheredBytes
  readonly file: SpooledFile | undefined
}

/**
 * A form whose files are written to the folder. `tree` holds its parameters, as from
 * `parseMultipart`, when it is complete.
 */
export function spoolForm(contentType: string, folder: string): Spool & { tree(): ParamTree } {
  const tree = createTree()
  const files: SpooledFile[] = []
  let part: Part | undefined
  let textBytes = 0

  const reader = createMultipartReader(contentType, {
    begin(head) {
      if (head.filename !== undefined && files.length === MAX_FILES) throw new ApiError('malformedBody')
      const file = head.filename === undefined ? undefined : new SpooledFile(path.join(folder, String(files.length)))
      if (file) files.push(file)
      part = { head, text: new GatheredBytes(), file }
    },
    take(content) {
      if (part?.file) return part.file.push(content)
      textBytes += content.byteLength
      if (textBytes > MAX_TEXT_BYTES) throw new ApiError('tooLarge')
      part?.text.add(content)
    },
    end() {
      if (!part) return
      const { head, text, file } = part
      if (!file) insertParameter(tree, head.name, readText(Buffer.concat(text.takeAll())))
      else if (head.filename !== '' || file.sizeBytes > 0)
        insertParameter(tree, head.name, new Upload(head.filename ?? '', head.type, file))
      part = undefined
    },
  })

  return {
    push: bytes => reader.push(bytes),
    get waitingBytes() {
      return files.reduce((sum, file) => sum + file.waitingBytes, 0)
    },
    async write() {
      for (const file of files) await file.write()
    },
    writeNow() {
      for (const file of files) file.writeNow()
    },
    async close() {
      for (const file of files) await file.close()
    },
    tree() {
      reader.end()
      return tree
    },
  }
}

/** A body that is written to a file in the folder unchanged. */
export function spoolWhole(folder: string, mostBytes: number): Spool & { sizeBytes: number; read(): Promise<Buffer> } {
  const file = new SpooledFile(path.join(folder, 'whole'))
  return {
    push(bytes) {
      if (file.sizeBytes + bytes.byteLength > mostBytes) throw new ApiError('tooLarge')
      file.push(bytes)
    },
    get waitingBytes() {
      return file.waitingBytes
    },
    write: () => file.write(),
    writeNow: () => file.writeNow(),
    close: () => file.close(),
    get sizeBytes() {
      return file.sizeBytes
    },
    read: () => readFile(file.path).catch(unavailable),
  }
}
