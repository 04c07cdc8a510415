import type { Config } from '../../core/config.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import { isRemovable } from './key.ts'

/** A file on this machine. */
export interface StoredFile {
  path: string
  sizeBytes: number
  type: string
  modifiedAt: Date
}

/** Where files of people are kept, under keys of `makeKey`. What a key names never changes: a new picture gets a new key. */
export interface Storage {
  /** The origin that files are fetched from when that is not this server's. */
  readonly origin: string | undefined
  /**
   * Stores bytes; when it resolves they outlast a power cut, and nobody has ever seen a part of them.
   * @throws ApiError `unavailable` when there is no room, or what they are stored in fails
   */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /** Stores a file of this machine as `put` does; the file is moved or copied and must not change meanwhile. */
  putFile(key: string, path: string, type: string): Promise<void>
  /** Removes, unless many show it; a key under which nothing is stored is no error. */
  remove(key: string): Promise<void>
  /** What is stored under a text from outside, or where to fetch it; undefined when it is no key or nothing is here. */
  open(key: string): Promise<StoredFile | { readonly url: string } | undefined>
  /** Undefined when nothing is stored. */
  sizeOf(key: string): Promise<number | undefined>
  /** The path to read what is stored: its own, or that of a copy in the folder. Undefined when nothing is stored. */
  copyFor(key: string, folder: string): Promise<string | undefined>
  /**
   * An address at which whoever has it may download what is not public, for five minutes and under a name of its own; undefined when there
   * are none because files are on this machine: `open` them.
   */
  lend(key: string, fileName: string): Promise<string | undefined>
  /** The address that clients fetch it from. */
  url(key: string): string
}

/** Keeps files in a bucket when one is configured, else in a folder of this machine. */
export function openStorage(config: Config): Storage {
  const storage: Storage =
    config.s3Bucket === undefined
      ? openFolder({ dataDir: config.dataDir, mediaUrl: `${config.publicUrl}/media` })
      : openBucket({ ...config, s3Bucket: config.s3Bucket })
  return {
    ...storage,
    async remove(key) {
      if (isRemovable(key)) await storage.remove(key)
    },
  }
}

/** Where a page may take stored files from, as its Content-Security-Policy has it. */
export const mediaSources = ({ origin }: Storage): string[] => ["'self'", ...(origin === undefined ? [] : [origin])]
