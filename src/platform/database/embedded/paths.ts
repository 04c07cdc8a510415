import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OsUser } from './os_user.ts'

/** Where the parts of one embedded cluster are. */
export interface ClusterPaths {
  /** PostgreSQL's data folder. */
  cluster: string
  /** Where a new cluster is made, before it gets its name at once: what is here is half made. */
  unfinished: string
  password: string
  log: string
  lock: string
  uses: string
  /** In the command line of the cluster's server, to tell it from other processes. */
  clusterName: string
}

/** Bytes of a socket's address, its closing zero included, on the strictest platform (macOS; Linux has 108). */
const SOCKET_PATH_BYTES = 104
/** With it PostgreSQL names its socket `.s.PGSQL.5432`; a socket needs no port, but clients name it so. */
export const SOCKET_PORT = 5432

/**
 * Of a new `dataDir`. As root PostgreSQL runs as another account, which has to pass through it: others may, but not see what is in it,
 * all of which is for its owner only.
 */
const folderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700)

/** Makes `dataDir` when it is missing. */
export function clusterPaths(dataDir: string): ClusterPaths {
  mkdirSync(dataDir, { recursive: true, mode: folderMode() })
  const folder = realpathSync(dataDir)
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return {
    cluster: join(folder, 'postgres'),
    unfinished: join(folder, 'postgres.unfinished'),
    password: join(folder, 'postgres.password'),
    log: join(folder, 'postgres.log'),
    lock: join(folder, 'postgres.lock'),
    uses: join(folder, 'postgres.uses'),
    clusterName: `millrace-${hash}`,
  }
}

/** Where the server makes its socket, and how clients get there. */
export interface Listening {
  /** The folder of the socket as the server is told, which stands in the cluster's folder; empty for none. */
  socketFolder: string
  /** What clients take as host. */
  host: string
  port: number
}

/** How a server that clients find at `host` and `port` was told to listen. */
export function listeningAt(place: ClusterPaths, { host, port }: Pick<Listening, 'host' | 'port'>): Listening {
  if (host === place.cluster) return { socketFolder: '.', host, port }
  return { socketFolder: host.startsWith('/') ? host : '', host, port }
}

function canListen(path: string): Promise<boolean> {
  const server = createServer()
  return new Promise(done => {
    server.once('error', () => done(false))
    server.listen(path, () => server.close(() => done(true)))
  })
}

/** A folder of ours under the system's temporary folder: nobody else may have put theirs in its place. */
function makePrivateFolder(path: string, account: OsUser | null): boolean {
  const uid = account?.uid ?? process.getuid?.()
  try {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
  } catch {
    // It exists, or cannot be made: the look below tells.
  }
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

function findFreePort(): Promise<number> {
  const server = createServer()
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address !== null && typeof address === 'object' ? done(address.port) : fail(new Error('no port')),
      )
    })
  })
}

/**
 * Where a server of this cluster is to listen: a socket in the cluster's own folder, which nobody else can enter and which whoever shares
 * the data finds (another container too, or a service with a temporary folder of its own); when its path is too long or the file system
 * has no sockets, one in the temporary folder; and where there are none at all, a free port of the loopback address.
 */
export async function chooseListening(place: ClusterPaths, account: OsUser | null): Promise<Listening> {
  const fits = (folder: string): boolean =>
    Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`)) < SOCKET_PATH_BYTES
  if (process.platform !== 'win32') {
    if (fits(place.cluster) && (await canListen(join(place.cluster, '.s.probe')))) {
      return { socketFolder: '.', host: place.cluster, port: SOCKET_PORT }
    }
    const folder = join(realpathSync(tmpdir()), place.clusterName)
    if (fits(folder) && makePrivateFolder(folder, account) && (await canListen(join(folder, '.s.probe')))) {
      return { socketFolder: folder, host: folder, port: SOCKET_PORT }
    }
  }
  return { socketFolder: '', host: '127.0.0.1', port: await findFreePort() }
}
