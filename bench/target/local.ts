import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { watchDatabase, type DatabaseWatch } from './database.ts'
import { closeAtSignal } from './interrupt.ts'
import { seedFolder, type SeedSize } from './seed.ts'
import { freePort, launchServer, type Launched } from './server.ts'
import type { Target } from './target.ts'
import { usageOf } from './usage.ts'

/**
 * A local server with seeded data.
 * @param options.dataDir the data folder, which is not removed; undefined: a temporary one
 */
export async function openLocalTarget(
  size: SeedSize,
  options: {
    dataDir: string | undefined
    workers: number
    profile?: string | undefined
    /** Whether other servers may have private addresses. */
    federates?: boolean
    /** The folder of another checkout, whose server it is to be. */
    root?: string
  },
  progress: (text: string) => void,
): Promise<Target> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'millrace-bench-')))
  let server: Launched | undefined
  let database: DatabaseWatch | undefined
  const stop = async (): Promise<void> => {
    await database?.close()
    await server?.stop()
  }
  const close = closeAtSignal(async () => {
    await stop()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  })
  try {
    const port = await freePort()
    progress(`seeding ${size.accounts} accounts and ${size.statuses} statuses …`)
    const seeded = await seedFolder(dataDir, size, port, options.root)
    const startAgain = async (workers: number): Promise<{ running: Launched; watch: DatabaseWatch }> => {
      const running = (server = await launchServer(dataDir, port, { ...options, workers }))
      const watch = (database = await watchDatabase(dataDir))
      return { running, watch }
    }
    progress('starting the server …')
    let now = await startAgain(options.workers)
    return {
      url: now.running.url,
      description: `a server of its own: ${size.accounts} accounts, ${size.statuses} statuses, WORKERS=${options.workers}`,
      people: seeded.tokens,
      authors: seeded.authors,
      readers: seeded.readers.map(({ token }) => token),
      thread: seeded.threads[0]?.id,
      local: {
        dataDir,
        usage: () => usageOf(now.running.pid),
        databaseUse: () => now.watch.use(),
        async cpuSeconds() {
          const [server, database] = await Promise.all([usageOf(now.running.pid), now.watch.cpuSeconds()])
          return server && database !== undefined ? { server: server.cpuSeconds, database } : undefined
        },
        databaseMemory: () => now.watch.memory(),
        writtenSince: sinceMs => now.watch.writtenSince(sinceMs),
        run: (text, values) => now.watch.run(text, values),
        async restart(workers) {
          await stop()
          now = await startAgain(workers)
          return now.running.startMs
        },
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
