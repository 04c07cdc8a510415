import type { Storage } from '../platform/storage/index.ts'

/** The size of stored files in bytes; files that are missing count nothing. */
export async function measureFiles(storage: Storage, keys: readonly string[]): Promise<number> {
  const sizes = await Promise.all(keys.map(key => storage.sizeOf(key)))
  return sizes.reduce<number>((sum, sizeBytes) => sum + (sizeBytes ?? 0), 0)
}
