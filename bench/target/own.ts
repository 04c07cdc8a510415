import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { watchDatabase } from './database.ts'
import { seedFolder, type SeedSize } from './seed.ts'
import { freePort, launchServer } from './server.ts'
import type { Target } from './target.ts'
import { usageOf } from './usage.ts'

/**
 * A server of our own on seeded data.
 * @param options.dataDir the folder of its data, which stays; undefined: a temporary one
 */
export async function openOwnTarget(
  size: SeedSize,
  options: { dataDir: string | undefined; workers: number; profile?: string | undefined },
  progress: (text: string) => void,
): Promise<Target> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'millrace-bench-')))
  const remove = async (): Promise<void> => {
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const port = await freePort()
    progress(`seeding ${size.accounts} accounts and ${size.statuses} statuses …`)
    const seeded = await seedFolder(dataDir, size, port)
    progress('starting the server …')
    let server = await launchServer(dataDir, port, options)
    let database = await watchDatabase(dataDir)
    const stop = async (): Promise<void> => {
      await database.close()
      await server.stop()
    }
    return {
      url: server.url,
      description: `a server of its own: ${size.accounts} accounts, ${size.statuses} statuses, WORKERS=${options.workers}`,
      people: seeded.tokens,
      authors: seeded.authors,
      readers: seeded.readers.map(({ token }) => token),
      thread: seeded.threads[0]?.id,
      own: {
        dataDir,
        usage: () => usageOf(server.pid),
        databaseUse: () => database.use(),
        writtenSince: sinceMs => database.writtenSince(sinceMs),
        async restart(workers) {
          await stop()
          server = await launchServer(dataDir, port, { ...options, workers })
          database = await watchDatabase(dataDir)
          return server.startMs
        },
      },
      async close() {
        await stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
