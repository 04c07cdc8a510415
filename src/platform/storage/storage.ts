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

/** A stored file in a listing. */
export interface ListedFile {
  readonly key: string
  readonly modifiedAt: Date
}

/**
 * Stores users' files under keys from `makeKey`. The file of a key never changes: a new picture
 * gets a new key.
 */
export interface Storage {
  /** The origin of file URLs, if it is not this server's. */
  readonly origin: string | undefined
  /**
   * Stores bytes. They are durable when it resolves, and were never partially visible.
   * @throws ApiError `unavailable` when the disk is full or the storage fails
   */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
  /**
   * Stores a local file like `put`; the file is moved or copied and must not change in the
   * meantime.
   */
  putFile(key: string, path: string, type: string): Promise<void>
  /** Removes a file unless it is shared; an unknown key is not an error. */
  remove(key: string): Promise<void>
  /**
   * The stored file for a text from outside, or the URL to fetch it from; undefined if it is not a
   * key or the file does not exist.
   */
  open(key: string): Promise<StoredFile | { readonly url: string } | undefined>
  /**
   * Hides a file from everybody who knows its key, or shows it again; a missing file is not an
   * error. Has no effect in a bucket, whose policy decides who may read it.
   */
  withhold(key: string, withheld: boolean): Promise<void>
  /** The hidden file of a key, like `open`. */
  openWithheld(key: string): Promise<StoredFile | undefined>
  /** Undefined if the file does not exist. */
  sizeOf(key: string): Promise<number | undefined>
  /**
   * The local path of a stored file, or of a copy in the folder. Undefined if the file does not
   * exist.
   */
  copyFor(key: string, folder: string): Promise<string | undefined>
  /**
   * A URL for downloading a private file under the given name, valid for five minutes; undefined if
   * files are stored locally: `open` them.
   */
  temporaryUrl(key: string, fileName: string): Promise<string | undefined>
  /** All stored files, in the order of the bytes of their keys. */
  list(): AsyncIterable<ListedFile>
  /** The URL for clients. The key of a picture on another server is its URL. */
  url(key: string): string
}

/** Stores files in a bucket if one is configured, else in a local folder. */
export function openStorage(config: Config): Storage {
  const storage: Storage =
    config.s3Bucket === undefined
      ? openFolder({ dataDir: config.dataDir, mediaUrl: `${config.publicUrl}/media` })
      : openBucket({ ...config, s3Bucket: config.s3Bucket })
  return {
    ...storage,
    async remove(key) {
      if (isRemovable(key) && !isElsewhere(key)) await storage.remove(key)
    },
    async withhold(key, withheld) {
      if (isRemovable(key) && !isElsewhere(key)) await storage.withhold(key, withheld)
    },
    url: key => (isElsewhere(key) ? key : storage.url(key)),
  }
}

/** Whether a key is the URL of a picture on another server, which is shown until it is copied. */
export const isElsewhere = (key: string): boolean => /^https?:/.test(key)

/** The Content-Security-Policy sources of stored files. */
export const mediaSources = ({ origin }: Storage): string[] => ["'self'", ...(origin === undefined ? [] : [origin])]
