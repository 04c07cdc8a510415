import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startEmbedded, stopAbandoned, type EmbeddedConnection } from '../../src/platform/database/embedded/index.ts'
import { isOwnerAlive, identify, withLock } from '../../src/platform/database/embedded/lock.ts'

/** A PostgreSQL cluster for a run of tests, removed by `close`. */
export interface Cluster {
  url: string
  close(): Promise<void>
}

const PREFIX = 'millrace-test-'
/** A file in the cluster's folder with the owning process. */
const OWNER = 'owner'

/** A run uses some hundred MB; the seeded database of the plans test more. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** The parent folders of the clusters of runs. */
const folders = (): string[] => ['/dev/shm', tmpdir()].filter(folder => existsSync(folder))

/**
 * A folder in memory where there is enough: cloning a database took 10 ms there, and 100 to 500 ms
 * (300 new files) on a disk.
 */
export function chooseTemporaryFolder(): string {
  const [memory, disk] = folders()
  if (memory === undefined || disk === undefined) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH_BYTES ? memory : disk
}

const silent = (): void => {}

/** A URL for pg and libpq: the parameter `host` names the socket's folder. */
export function connectionUrl({ user, password, host, port, database }: EmbeddedConnection): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function readOwner(folder: string): string {
  try {
    return readFileSync(join(folder, OWNER), 'utf8')
  } catch {
    return '' // killed before it was written, or not a test cluster: it has no owner
  }
}

/** Stops and removes this user's clusters of killed runs. Simultaneous runs are serialised. */
async function removeAbandoned(): Promise<void> {
  const uid = process.getuid?.() ?? 0
  await withLock(join(tmpdir(), `millrace-test.${uid}.lock`), async () => {
    const found = folders().flatMap(parent => readdirSync(parent).map(name => join(parent, name)))
    for (const folder of found.filter(path => basename(path).startsWith(PREFIX))) {
      const stat = statSync(folder, { throwIfNoEntry: false })
      const owner = readOwner(folder)
      if (stat?.uid !== uid || owner === '' || isOwnerAlive(owner)) continue
      await stopAbandoned(folder, silent)
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

/**
 * Starts a cluster in a new temporary folder, without syncing to be faster. The clusters of killed
 * runs are removed first.
 * @param vacuums whether PostgreSQL vacuums and analyzes by itself; most runs are too short for it
 */
export async function startCluster(vacuums = false): Promise<Cluster> {
  await removeAbandoned()
  const folder = mkdtempSync(join(chooseTemporaryFolder(), PREFIX))
  writeFileSync(join(folder, OWNER), identify())
  const autovacuum = vacuums ? 'on' : 'off'
  const extraSettings = {
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    autovacuum,
    // A test may have a dozen servers, each of which may be two processes with their own pools.
    max_connections: '600',
  }
  const embedded = await startEmbedded({ dataDir: folder, log: silent, extraSettings })
  return {
    url: connectionUrl(embedded.connection),
    async close() {
      await embedded.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
