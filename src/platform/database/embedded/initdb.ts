import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { OsUser } from './os_user.ts'
import type { Binaries } from './binaries.ts'
import type { ClusterPaths } from './paths.ts'
import { childEnvironment, dataArgument } from './postmaster.ts'

/** The cluster's only role, its superuser; also the name of its database. */
export const NAME = 'millrace'

function syncFolder(path: string): void {
  if (process.platform === 'win32') return // folders cannot be opened there
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Throws when the file is missing: without the password no client can connect to the cluster. */
export function readPassword(place: ClusterPaths): string {
  try {
    return readFileSync(place.password, 'utf8').trim()
  } catch (cause) {
    throw new Error(
      `${place.password}, the password of the embedded PostgreSQL, cannot be read: restore it, or start as its owner`,
      {
        cause,
      },
    )
  }
}

function writePassword(place: ClusterPaths): string {
  const password = randomBytes(24).toString('base64url')
  rmSync(place.password, { force: true })
  const descriptor = openSync(place.password, 'wx', 0o600)
  writeFileSync(descriptor, password)
  fsyncSync(descriptor)
  closeSync(descriptor)
  return password
}

/**
 * @param characterType the locale of the C library by which pg_trgm and the parser of texts know
 *   letters: with `C` those of ASCII only
 */
function runInitdb(
  binaries: Binaries,
  folder: string,
  account: OsUser | null,
  noSync: boolean,
  characterType: 'C.UTF-8' | 'C',
): Promise<void> {
  const options = [
    ['-D', dataArgument(folder, account)],
    ['--username', NAME, '--pwfile', '../password', '--auth', 'scram-sha-256'],
    // Built into PostgreSQL: the same sort order and case mapping with every C library, and fast.
    ['--encoding', 'UTF8', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ['--lc-ctype', characterType],
    ['--text-search-config', 'simple', '--data-checksums', '--no-instructions'],
    noSync ? ['--no-sync'] : [],
  ].flat()
  const child = spawn(binaries.initdb, options, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...childEnvironment,
    ...account,
  })
  let output = ''
  child.stdout.on('data', chunk => (output += String(chunk)))
  child.stderr.on('data', chunk => (output += String(chunk)))
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', code => {
      if (code === 0) done()
      else
        fail(
          new Error(
            `initdb could not create the cluster of the embedded PostgreSQL: ${output.trim().split('\n').slice(-3).join(' ')}`,
          ),
        )
    })
  })
}

/**
 * Creates the cluster if there is none: under a temporary name that is changed at the end, so that
 * a cluster is complete or absent, whenever this process or the power fails. `noSync` is for tests:
 * the cluster then does not survive a power failure.
 */
export async function createCluster(
  place: ClusterPaths,
  binaries: Binaries,
  account: OsUser | null,
  noSync: boolean,
): Promise<void> {
  rmSync(place.unfinished, { recursive: true, force: true })
  const folder = join(place.unfinished, 'cluster')
  const password = join(place.unfinished, 'password')
  mkdirSync(place.unfinished, { mode: 0o700 })
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(password, writePassword(place), { mode: 0o600 })
  if (account) for (const path of [place.unfinished, folder, password]) chownSync(path, account.uid, account.gid)
  // Some C libraries have no locale C.UTF-8; initdb then ends before it writes anything.
  await runInitdb(binaries, folder, account, noSync, 'C.UTF-8').catch((error: unknown) => {
    if (readdirSync(folder).length > 0) throw error
    return runInitdb(binaries, folder, account, noSync, 'C')
  })
  renameSync(folder, place.cluster)
  if (!noSync) syncFolder(dirname(place.cluster))
  rmSync(place.unfinished, { recursive: true, force: true })
}

/** Throws when the cluster was created by another major version than that of the programs. */
export function checkVersion(place: ClusterPaths, { version }: Binaries): void {
  const file = join(place.cluster, 'PG_VERSION')
  const createdBy = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'an unknown version'
  if (createdBy !== version) {
    throw new Error(
      `${place.cluster} was created by PostgreSQL ${createdBy}, but the embedded one is ${version}: dump it with the release that created it, and restore it into a new cluster`,
    )
  }
}
