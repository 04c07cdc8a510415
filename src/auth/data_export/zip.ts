import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ZipFile } from 'yazl'

/** A file of an archive. It is opened only when it is written. */
export interface Entry {
  readonly name: string
  /** False for files that are already compressed, such as pictures. */
  readonly compress: boolean
  open(): Promise<Readable>
}

/** Adds an entry; resolves when it has been read completely. */
const add = (zip: ZipFile, { name, compress, open }: Entry): Promise<void> =>
  new Promise((resolve, reject) => {
    const opening = async (give: (error: unknown, stream: Readable) => void): Promise<void> => {
      const stream = await open()
      stream.once('end', resolve)
      stream.once('error', reject)
      give(undefined, stream)
    }
    zip.addReadStreamLazy(name, { compress }, give => void opening(give).catch(reject))
  })

/**
 * Writes an archive to a file entry by entry, so that memory holds one chunk at a time. The caller
 * removes the incomplete file after an error.
 * @throws the error of an entry or of the file; the signal's reason
 */
export async function writeZip(file: string, entries: AsyncIterable<Entry>, signal: AbortSignal): Promise<void> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const stopped = new AbortController()
  const failed = new Promise<never>((_, reject) => zip.once('error', reject))
  const written = pipeline(zip.outputStream, createWriteStream(file), {
    signal: AbortSignal.any([signal, stopped.signal]),
  })
  // Prevents an unhandled rejection of the promise that is no longer awaited.
  for (const promise of [failed, written]) promise.catch(() => undefined)
  try {
    for await (const entry of entries) await Promise.race([add(zip, entry), failed, written])
    zip.end()
    await Promise.race([written, failed])
  } catch (error) {
    stopped.abort(error)
    throw error
  }
}
