import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Services } from '../services.ts'

/** The folder of a process for files that are only worked on. */
export const workFolder = ({ config }: Services): string => path.join(config.dataDir, 'tmp')

/** Runs work that needs a folder of its own; afterwards that is gone. */
export async function inFolder<T>(services: Services, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(workFolder(services), { recursive: true })
  const folder = await mkdtemp(path.join(workFolder(services), 'media-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
