import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { TestServer } from './server.ts'

/** The keys of the files of one kind that a server has stored, in order. */
export async function storedFiles(server: TestServer, kind: string): Promise<string[]> {
  const folder = path.join(server.config.dataDir, 'media', kind)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.posix.join(kind, path.relative(folder, path.join(entry.parentPath, entry.name))))
    .sort()
}
