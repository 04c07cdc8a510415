import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chooseOsUser, giveTo } from './os_user.ts'
import { findBinaries } from './binaries.ts'
import { checkVersion, createCluster, NAME, readPassword } from './initdb.ts'
import { isForSpace, keepReserve, releaseReserve } from './reserve.ts'
import { supervise, type End, type SupervisorLogger, type Run } from './supervisor.ts'
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

export { releaseReserve }

export interface EmbeddedOptions {
  /**
   * The folder of the cluster (`postgres`), its password, log and lock. Created when it is missing.
   */
  dataDir: string
  log: (message: string, fields?: object) => void
  /** Called before a cluster is created. */
  onCreate?: (folder: string) => void
  /** Keeps space in reserve for a full disk: the server does, commands only use it. */
  keepsReserve?: boolean
  /** Logs when PostgreSQL stops unexpectedly, and each restart. */
  logger?: SupervisorLogger
  /**
   * PostgreSQL settings that override ours. With `fsync: 'off'` the cluster is created without
   * syncing too: for tests only.
   */
  extraSettings?: Readonly<Record<string, string>>
}

/** Connection settings for `pg`. */
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
  /** How often PostgreSQL stopped unexpectedly and was restarted. */
  restarts(): number
  /**
   * Releases the cluster. The last process that uses it stops PostgreSQL, and waits until it has
   * ended.
   */
  close(): Promise<void>
}

/** A server that accepts connections. */
interface Ready extends Run {
  readonly connection: EmbeddedConnection
}

const silent: SupervisorLogger = { error: () => undefined, info: () => undefined }

const POLL_MS = 10
/** Recovery after a crash reads the log since the last checkpoint, at most a gigabyte. */
const START_MS = 300_000
/** How long the remaining processes of a killed server may hold its shared memory. */
const REMAINS_MS = 10_000
/** How often space is put back into reserve, if there is any. */
const RESERVE_MS = 60_000
/** disk_full: a new connection writes a small file if another has removed it. */
const DISK_FULL = '53100'
/**
 * The server is starting, stopping or recovering (57P03, cannot_connect_now; 57P01,
 * admin_shutdown), or ended between two checks.
 */
const NOT_NOW: ReadonlySet<string> = new Set(['57P03', '57P01', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

async function runAlone(connection: EmbeddedConnection, statement: string): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'millrace' })
  client.on('error', () => {}) // the running statement fails with the same error
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates the database when it is missing. Throws while the server is not ready. */
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

/** @throws Error when nothing is in reserve */
function freeSpace({ dataDir }: ClusterPaths): void {
  if (!releaseReserve(dataDir))
    throw new Error(`The disk of ${dataDir} is full, free some space first: see "A full disk" in OPERATING.md`)
}

/**
 * Waits until the server accepts connections. Null when it has exited, which `isGone` detects by
 * postmaster.pid.
 * @param password read by the caller before it starts a server, so that no server runs to which
 * nobody can connect
 */
async function waitUntilReady(
  place: ClusterPaths,
  password: string,
  isGone: (running: Postmaster | null) => boolean,
): Promise<EmbeddedConnection | null> {
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    const running = await findPostmaster(place)
    if (isGone(running)) return null
    if (running?.status === 'ready') {
      const connection = { host: running.host, port: running.port, user: NAME, password, database: NAME }
      try {
        await openNamedDatabase(connection)
        return connection
      } catch (error) {
        if (codeOf(error) === DISK_FULL) freeSpace(place)
        else if (!NOT_NOW.has(codeOf(error))) throw error
      }
    }
    await delay(POLL_MS)
  }
  throw new Error(`embedded PostgreSQL is not ready after ${START_MS / 1000} s: see ${place.log}`)
}

/**
 * @param before where the cluster's server listened and clients expect it again: then a missing
 * cluster is an error, not a reason to create one
 */
async function prepareCluster(place: ClusterPaths, options: EmbeddedOptions, before?: Listening): Promise<Launch> {
  const account = chooseOsUser(place.cluster)
  const binaries = findBinaries(account)
  const extraSettings = options.extraSettings ?? {}
  if (!existsSync(place.cluster)) {
    if (before) throw new Error(`${place.cluster}, the data of the embedded PostgreSQL, no longer exists`)
    options.log('creating the embedded PostgreSQL cluster', { folder: place.cluster })
    options.onCreate?.(place.cluster)
    await createCluster(place, binaries, account, extraSettings.fsync === 'off')
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
  for (const until = performance.now() + REMAINS_MS; ; await delay(10 * POLL_MS)) {
    const child = await launchPostmaster(launch)
    const ended = new Promise<End>(resolve => child.once('exit', (code, signal) => resolve({ code, signal })))
    const connection = await waitUntilReady(place, password, () => child.exitCode !== null || child.signalCode !== null)
    if (connection) return { connection, ended }
    const why = readLastLines(place.log)
    if (isForSpace(place.dataDir, why)) {
      freeSpace(place)
      continue
    }
    // A killed server may not have vanished entirely yet: its memory, or the process itself.
    if (!/is still in use|"postmaster\.pid" already exists/.test(why) || performance.now() > until) {
      throw new Error(`embedded PostgreSQL does not start (more in ${place.log}):\n${why}`)
    }
  }
}

/** Joins the running server, unless there is none or it is just ending. */
async function joinServer(place: ClusterPaths): Promise<Ready | null> {
  const running = await findPostmaster(place)
  const connection = running && (await waitUntilReady(place, readPassword(place), found => found === null))
  return connection && { connection, ended: watchEnd(place).then(() => ({ code: null, signal: null })) }
}

async function stopUnused(place: ClusterPaths, log: EmbeddedOptions['log']): Promise<void> {
  const others = countLeases(place.uses)
  if (others > 0) return log('other processes still use the embedded PostgreSQL: it keeps running', { others })
  const running = await findPostmaster(place)
  if (running?.pid === undefined || running.pid === null) return
  const started = performance.now()
  await stopPostmaster(place, running.pid, log)
  if (basename(running.host) === place.clusterName) rmSync(running.host, { recursive: true, force: true })
  log('embedded PostgreSQL stopped', { durationMs: Math.round(performance.now() - started) })
}

/** No event says that there is space again, so it is checked repeatedly. */
function startKeepingReserve({ dataDir }: ClusterPaths, logger: SupervisorLogger): NodeJS.Timeout {
  const keep = (): void =>
    void keepReserve(dataDir).catch((error: unknown) => {
      logger.error({ err: error }, 'no space could be kept in reserve for a full disk')
    })
  keep()
  return setInterval(keep, RESERVE_MS).unref()
}

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the running one: another process may use it
 * too (the server and ctl), or have left it running when it was killed. A lock serialises starts
 * and stops of all processes. Throws with one clear line when this platform has no embedded
 * PostgreSQL, or when it cannot run here.
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
    log(joined ? 'joined the running embedded PostgreSQL' : 'embedded PostgreSQL started', { durationMs })
    return { ready: open, takeBack: takeLease(place.uses) }
  })
  const { connection } = ready
  // Every process that uses the cluster restarts it, one at a time: the first starts the server,
  // the others join.
  const supervisor = supervise(ready, {
    restart: () =>
      withLock(
        place.lock,
        async () => (await joinServer(place)) ?? startServer(place, options, listeningAt(place, connection)),
      ),
    logger: options.logger ?? silent,
    logFile: place.log,
  })

  const reserve = options.keepsReserve ? startKeepingReserve(place, options.logger ?? silent) : undefined
  const close = async (): Promise<void> => {
    clearInterval(reserve)
    await supervisor.close()
    await withLock(place.lock, async () => {
      takeBack()
      await stopUnused(place, log)
    })
  }
  return { connection, restarts: supervisor.restarts, close: () => (closing ??= close()) }
}

/**
 * Stops the embedded PostgreSQL of `dataDir` when it runs and no living process uses it: its
 * process was killed.
 */
export async function stopAbandoned(dataDir: string, log: EmbeddedOptions['log']): Promise<void> {
  const place = clusterPaths(dataDir)
  await withLock(place.lock, () => stopUnused(place, log))
}
