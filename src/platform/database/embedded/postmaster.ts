import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, fchownSync, openSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { canReach, type OsUser } from './os_user.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import type { Listening, ClusterPaths } from './paths.ts'
import { identifyProcess, readCommandLine } from './process.ts'
import { settings } from './settings.ts'

/** A running server, read from its postmaster.pid. */
export interface Postmaster {
  /**
   * Null when it runs in another pid namespace, such as another container that shares the folder.
   */
  pid: number | null
  host: string
  port: number
  /** As PostgreSQL writes it: starting, ready, stopping, standby. */
  status: string
}

/** The parameters of a server's start. */
export interface Launch {
  place: ClusterPaths
  binaries: Binaries
  /** The user that it runs as; null: this process's own. */
  account: OsUser | null
  listening: Listening
  extraSettings: Readonly<Record<string, string>>
}

const LOG_BYTES = 10 * 1024 * 1024
const FAST_STOP_MS = 10_000
const POLL_MS = 10

/**
 * Without these, glibc's `malloc` keeps as much free memory in each connection as its largest
 * statement needed.
 */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' }

/**
 * The environment of PostgreSQL's programs: nothing of ours, so that no PG… variable or locale
 * affects them. Windows needs its own.
 */
export const childEnvironment =
  process.platform === 'win32' ? {} : { env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin', ...MALLOC } }

/**
 * The data folder for PostgreSQL's command line. Where its user may not pass through the folders
 * above, as under /root, the server is started inside that folder, whose name is then
 * /proc/self/cwd.
 */
export function dataArgument(folder: string, account: OsUser | null): string {
  if (account === null || canReach(folder, account)) return folder
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new Error(
    `${folder} is not accessible to user ${account.uid}, as which PostgreSQL runs: set DATA_DIR to another folder`,
  )
}

function responds(host: string, port: number): Promise<boolean> {
  const socket = host.startsWith('/') ? createConnection(join(host, `.s.PGSQL.${port}`)) : createConnection(port, host)
  return new Promise<boolean>(done => {
    socket.once('connect', () => done(true)).once('error', () => done(false))
  }).finally(() => socket.destroy())
}

/** Whether the process is this cluster's server, and not a later process with the same pid. */
function isServerOf(place: ClusterPaths, pid: number): boolean {
  if (identifyProcess(pid) === null) return false
  return process.platform === 'win32' || (readCommandLine(pid)?.includes(place.clusterName) ?? false)
}

const pidFile = (place: ClusterPaths): string => join(place.cluster, 'postmaster.pid')

/**
 * The content of postmaster.pid, null when there is none. Just after a server's launch it may still
 * be empty: pid 0.
 */
function readPidFile(place: ClusterPaths): (Postmaster & { pid: number }) | null {
  let lines: string[]
  try {
    // https://www.postgresql.org/docs/18/storage-file-layout.html: pid, data folder, start, port,
    // socket folder, address, shared memory, status
    lines = readFileSync(pidFile(place), 'utf8').split('\n')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  const folder = lines[4] ?? ''
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    host: folder === '.' ? place.cluster : folder === '' ? '127.0.0.1' : folder,
    status: (lines[7] ?? 'starting').trim() || 'starting',
  }
}

/** The server that runs on this cluster, or null. */
export async function findPostmaster(place: ClusterPaths): Promise<Postmaster | null> {
  const found = readPidFile(place)
  if (!found || isServerOf(place, found.pid)) return found
  return found.port > 0 && (await responds(found.host, found.port)) ? { ...found, pid: null } : null
}

/**
 * The interval of checks whether a server that another process has started still runs: no signal
 * reports its end.
 */
const LOOK_MS = 1_000

/** Resolves when the present server has ended. Does not keep the process alive. */
export async function watchEnd(place: ClusterPaths): Promise<void> {
  const first = await findPostmaster(place)
  for (let now = first; now !== null && now.pid === first?.pid; now = await findPostmaster(place).catch(() => first))
    await delay(LOOK_MS, undefined, { ref: false })
}

/**
 * Removes the file that a killed server left behind, which would prevent the next start: PostgreSQL
 * recognises a dead pid, but takes any later process with that pid, or an empty file, for a server.
 * Only when no server runs and none has been launched, whose file is empty for a moment.
 */
export function removeLeftPidFile(place: ClusterPaths): void {
  const found = readPidFile(place)
  if (!found || (found.pid !== 0 && identifyProcess(found.pid) === null)) return
  rmSync(pidFile(place), { force: true })
  rmSync(join(found.host, `.s.PGSQL.${found.port}.lock`), { force: true })
}

function openLog(place: ClusterPaths, account: OsUser | null): number {
  if (existsSync(place.log) && statSync(place.log).size > LOG_BYTES) truncateSync(place.log)
  const descriptor = openSync(place.log, 'a', 0o600)
  if (account) fchownSync(descriptor, account.uid, account.gid)
  return descriptor
}

/**
 * Starts the server in its own session, where Ctrl-C in our terminal does not reach it, and lets it
 * outlive this process. It is not ready yet. If it ends immediately, the child's `exitCode` is set.
 */
export async function launchPostmaster(launch: Launch): Promise<ChildProcess> {
  const { place, listening, binaries, account, extraSettings } = launch
  const all = {
    ...settings,
    ...extraSettings,
    cluster_name: place.clusterName,
    unix_socket_directories: listening.socketFolder,
    unix_socket_permissions: '0700',
    listen_addresses: listening.socketFolder === '' ? listening.host : '',
    port: String(listening.port),
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(place, account)
  try {
    const child = spawn(binaries.postgres, ['-D', dataArgument(place.cluster, account), ...flags], {
      cwd: place.cluster,
      detached: true,
      stdio: ['ignore', log, log],
      ...childEnvironment,
      ...account,
    })
    await new Promise((done, fail) => child.once('spawn', done).once('error', fail))
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

/** Waits until the process has ended; false when it has not after `withinMs`. */
async function waitForEnd(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (identifyProcess(pid) !== null) {
    if (performance.now() > until) return false
    await delay(POLL_MS)
  }
  return true
}

/**
 * Stops the server: a fast shutdown closes connections and writes everything; after 10 seconds an
 * immediate shutdown does not (the next start recovers from the log). Returns when it has ended.
 * https://www.postgresql.org/docs/18/server-shutdown.html
 */
export async function stopPostmaster(place: ClusterPaths, pid: number, log: (message: string) => void): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl can send PostgreSQL its own.
    spawnSync(findBinaries(null).pgCtl, ['stop', '-D', place.cluster, '-m', 'fast', '-w'])
  } else if (isServerOf(place, pid)) process.kill(pid, 'SIGINT')
  if (await waitForEnd(pid, FAST_STOP_MS)) return
  log('embedded PostgreSQL did not stop in time; shutting it down immediately')
  if (isServerOf(place, pid)) process.kill(pid, 'SIGQUIT')
  if (!(await waitForEnd(pid, FAST_STOP_MS))) throw new Error(`embedded PostgreSQL (pid ${pid}) does not stop`)
}
