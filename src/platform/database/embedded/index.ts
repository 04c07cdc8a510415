import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chooseOsUser, giveTo } from './os_user.ts'
import { findBinaries } from './binaries.ts'
import { checkVersion, makeCluster, NAME, readPassword } from './initdb.ts'
import { keepRunning, type End, type KeeperLogger, type Run } from './supervisor.ts'
import { withLock } from './lock.ts'
import { chooseListening, listeningAt, clusterPaths, type Listening, type ClusterPaths } from './paths.ts'
import {
  findPostmaster,
  launchPostmaster,
  removeLeftPidFile,
  stopPostmaster,
  watchEnd,
  type Launch,
  type Postmaster,
} from './postmaster.ts'
import { countLeases, takeLease } from './leases.ts'

export interface EmbeddedOptions {
  /** The folder that holds the cluster (`postgres`), its password, log and lock. Made when it is missing. */
  dataDir: string
  log: (message: string, fields?: object) => void
  /** Told when PostgreSQL ends though it is in use, and what comes of it. */
  logger?: KeeperLogger
  /** PostgreSQL settings that come before ours. With `fsync: 'off'` the cluster is made without syncing too: for tests only. */
  extraSettings?: Readonly<Record<string, string>>
}

/** How to connect; `pg` takes it as it is. */
export interface EmbeddedConnection {
  /** The folder of the Unix socket, or 127.0.0.1 where there are no sockets. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface Embedded {
  connection: EmbeddedConnection
  /** How often PostgreSQL ended though it was in use, and runs again. */
  restarts(): number
  /** Gives the cluster back. The last of all processes that use it stops PostgreSQL; returns when that has ended. */
  close(): Promise<void>
}

/** A server that takes connections. */
interface Ready extends Run {
  readonly connection: EmbeddedConnection
}

const silent: KeeperLogger = { error: () => undefined, info: () => undefined }

const POLL_MS = 10
/** Recovery after a crash reads the log since the last checkpoint, a gigabyte at most. */
const START_MS = 300_000
/** How long processes of a server that was killed may hold on to its shared memory. */
const REMAINS_MS = 10_000
/** The server is starting, stopping or recovering (57P03, cannot_connect_now; 57P01, admin_shutdown), or went between two looks. */
const NOT_NOW: ReadonlySet<string> = new Set(['57P03', '57P01', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET'])

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

async function runAlone(connection: EmbeddedConnection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'millrace' })
  client.on('error', () => {}) // the statement that runs fails too, and says why
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes the database when it is missing. Throws while the server is not ready for it. */
async function openNamedDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await runAlone(connection, 'select 1')
  } catch (error) {
    if (codeOf(error) !== '3D000') throw error // https://www.postgresql.org/docs/18/errcodes-appendix.html: invalid_catalog_name
    await runAlone({ ...connection, database: 'postgres' }, `create database ${NAME}`)
  }
}

function readLastLines(path: string): string {
  return readFileSync(path, 'utf8').trim().split('\n').slice(-4).join('\n')
}

/**
 * Waits until the server takes connections. Null when it is gone instead, as `isGone` judges by what postmaster.pid tells.
 * @param password read by the caller before it starts a server, so that none is left running to which nobody can connect
 */
async function waitUntilReady(
  place: ClusterPaths,
  password: string,
  isGone: (running: Postmaster | null) => boolean,
): Promise<EmbeddedConnection | null> {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    const running = await findPostmaster(place)
    if (isGone(running)) return null
    if (running?.status === 'ready') {
      const connection = { host: running.host, port: running.port, user: NAME, password, database: NAME }
      try {
        await openNamedDatabase(connection)
        return connection
      } catch (error) {
        if (!NOT_NOW.has(codeOf(error))) throw error
      }
    }
    await delay(POLL_MS)
  }
  throw new Error(`embedded PostgreSQL is not ready after ${START_MS / 1000} s: see ${place.log}`)
}

/** @param before where a server of the cluster has been, and clients expect it again: then the cluster is not made anew */
async function prepareCluster(place: ClusterPaths, options: EmbeddedOptions, before?: Listening): Promise<Launch> {
  const account = chooseOsUser(place.cluster)
  const binaries = findBinaries(account)
  const extraSettings = options.extraSettings ?? {}
  if (!existsSync(place.cluster)) {
    if (before) throw new Error(`${place.cluster}, the data of the embedded PostgreSQL, is gone`)
    options.log('making the embedded PostgreSQL cluster', { folder: place.cluster })
    await makeCluster(place, binaries, account, extraSettings.fsync === 'off')
  } else if (account && statSync(place.cluster).uid !== account.uid) {
    giveTo(account, place.cluster) // copied by root, from a backup for instance
  }
  checkVersion(place, binaries)
  return { place, binaries, account, extraSettings, listening: before ?? (await chooseListening(place, account)) }
}

/** Starts the server, when none runs. */
async function startServer(place: ClusterPaths, options: EmbeddedOptions, before?: Listening): Promise<Ready> {
  const launch = await prepareCluster(place, options, before)
  const password = readPassword(place)
  removeLeftPidFile(place)
  for (const until = Date.now() + REMAINS_MS; ; await delay(10 * POLL_MS)) {
    const child = await launchPostmaster(launch)
    const ended = new Promise<End>(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
    const connection = await waitUntilReady(place, password, () => child.exitCode !== null || child.signalCode !== null)
    if (connection) return { connection, ended }
    const why = readLastLines(place.log)
    // What was killed may not have gone altogether yet: its memory, or the process itself.
    if (!/is still in use|"postmaster\.pid" already exists/.test(why) || Date.now() > until) {
      throw new Error(`embedded PostgreSQL does not start (more in ${place.log}):\n${why}`)
    }
  }
}

/** Joins the server that runs, if one does and does not end just now. */
async function joinServer(place: ClusterPaths): Promise<Ready | null> {
  const running = await findPostmaster(place)
  const connection = running && (await waitUntilReady(place, readPassword(place), found => found === null))
  return connection && { connection, ended: watchEnd(place).then(() => ({ code: null, signal: null })) }
}

async function stopUnused(place: ClusterPaths, log: EmbeddedOptions['log']): Promise<void> {
  const others = countLeases(place.uses)
  if (others > 0) return log('leaving the embedded PostgreSQL to the others who use it', { others })
  const running = await findPostmaster(place)
  if (running?.pid === undefined || running.pid === null) return
  const started = performance.now()
  await stopPostmaster(place, running.pid, log)
  if (basename(running.host) === place.clusterName) rmSync(running.host, { recursive: true, force: true })
  log('embedded PostgreSQL stopped', { durationMs: Math.round(performance.now() - started) })
}

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the one that runs there: another process may use it too (the server and ctl), or
 * have left it running when it was killed. Starts and stops of all processes take turns by a lock. Throws one clear line
 * when this platform has no embedded PostgreSQL, or when it cannot run here.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log } = options
  const started = performance.now()
  const place = clusterPaths(dataDir)
  let closing: Promise<void> | undefined

  const { ready, takeBack } = await withLock(place.lock, async () => {
    const joined = await joinServer(place)
    const open = joined ?? (await startServer(place, options))
    const durationMs = Math.round(performance.now() - started)
    log(joined ? 'joined the embedded PostgreSQL that runs already' : 'embedded PostgreSQL started', { durationMs })
    return { ready: open, takeBack: takeLease(place.uses) }
  })
  const { connection } = ready
  // All that use the cluster do so, in turns: the first starts it, the others join.
  const keeper = keepRunning(ready, {
    again: () =>
      withLock(
        place.lock,
        async () => (await joinServer(place)) ?? startServer(place, options, listeningAt(place, connection)),
      ),
    logger: options.logger ?? silent,
    logFile: place.log,
  })

  const close = async (): Promise<void> => {
    await keeper.close()
    await withLock(place.lock, async () => {
      takeBack()
      await stopUnused(place, log)
    })
  }
  return { connection, restarts: keeper.restarts, close: () => (closing ??= close()) }
}

/** Stops the embedded PostgreSQL of `dataDir` when it runs and no living process uses it: its process was killed. */
export async function stopAbandoned(dataDir: string, log: EmbeddedOptions['log']): Promise<void> {
  const place = clusterPaths(dataDir)
  await withLock(place.lock, () => stopUnused(place, log))
}
