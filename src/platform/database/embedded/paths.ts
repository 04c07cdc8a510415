import { createHash } from 'node:crypto'
import { chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OsUser } from './os_user.ts'

/** The paths of one embedded cluster. */
export interface ClusterPaths {
  /** The folder of everything else. */
  dataDir: string
  /** PostgreSQL's data folder. */
  cluster: string
  /** A new cluster is created here and renamed when it is complete. */
  unfinished: string
  password: string
  log: string
  lock: string
  uses: string
  /**
   * Appears in the command line of the cluster's server, to distinguish it from other processes.
   */
  clusterName: string
}

/**
 * The size of a socket's address, with its final zero byte, on the strictest platform (macOS; Linux
 * has 108).
 */
const SOCKET_PATH_BYTES = 104
/**
 * PostgreSQL then names its socket `.s.PGSQL.5432`; a socket has no port, but clients derive its
 * name from one.
 */
const SOCKET_PORT = 5432

/**
 * The mode of a new `dataDir`. When root starts PostgreSQL, it runs as another user who must pass
 * through the folder: others may then pass, but not list it, and its content is private.
 */
const folderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700)

/** Creates `dataDir` when it is missing. */
export function clusterPaths(dataDir: string): ClusterPaths {
  mkdirSync(dataDir, { recursive: true, mode: folderMode() })
  const folder = realpathSync(dataDir)
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return {
    dataDir: folder,
    cluster: join(folder, 'postgres'),
    unfinished: join(folder, 'postgres.unfinished'),
    password: join(folder, 'postgres.password'),
    log: join(folder, 'postgres.log'),
    lock: join(folder, 'postgres.lock'),
    uses: join(folder, 'postgres.uses'),
    clusterName: `millrace-${hash}`,
  }
}

/** The server's socket or address, and how clients reach it. */
export interface Listening {
  /**
   * The folder of the socket as passed to the server, relative to the cluster's folder; empty for
   * none.
   */
  socketFolder: string
  /** The host for clients. */
  host: string
  port: number
}

/** The listening settings of a server that clients reach at `host` and `port`. */
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

/**
 * Creates a private folder under the system's temporary folder; false when another user owns
 * the path.
 */
function makePrivateFolder(path: string, account: OsUser | null): boolean {
  const uid = account?.uid ?? process.getuid?.()
  try {
    mkdirSync(path, { mode: 0o700 })
    if (account) chownSync(path, account.uid, account.gid)
  } catch {
    // It exists, or cannot be created: the check below decides.
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
 * Chooses the address for the cluster's server: a socket in the cluster's own folder, which other
 * users cannot enter and which everybody who shares the data finds (also another container, or a
 * service with its own temporary folder); a socket in the temporary folder when that path is too
 * long or the file system has no sockets; a free port of the loopback address where there are no
 * sockets at all.
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
