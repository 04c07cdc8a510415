import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Storage } from '../storage/index.ts'
import { MEDIA } from './manifest.ts'
import { entryOf } from './stored_files.ts'

/** The clock of the service may differ from ours. */
const CLOCKS_MS = 10 * 60 * 1000

/**
 * The entries of an archive for the files in a bucket. Each is copied to this machine first, one at
 * a time, because its header needs a size that cannot change.
 * @param sinceMs only files that came into the bucket at this time or later
 * @param count called after each file
 */
export async function* bucketFiles(bucket: Storage, sinceMs: number, count: () => void): AsyncGenerator<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bucket-'))
  try {
    for await (const { key, modifiedAt } of bucket.list()) {
      if (sinceMs > 0 && modifiedAt.getTime() < sinceMs - CLOCKS_MS) continue
      // A running server may remove a file that it no longer needs at any time.
      const copy = await bucket.copyFor(key, folder)
      if (copy === undefined) continue
      yield* entryOf(`${MEDIA}${key}`, copy)
      await rm(copy)
      count()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
