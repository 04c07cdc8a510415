import type { Storage } from '../platform/storage/index.ts'

/** The total size of stored files in bytes; missing files count as 0. */
export async function measureFiles(storage: Storage, keys: readonly string[]): Promise<number> {
  const sizes = await Promise.all(keys.map(key => storage.sizeOf(key)))
  return sizes.reduce<number>((sum, sizeBytes) => sum + (sizeBytes ?? 0), 0)
}
