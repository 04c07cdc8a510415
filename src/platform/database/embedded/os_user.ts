import { spawnSync } from 'node:child_process'
import { existsSync, lchownSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The user that a child process runs as: options of `spawn`. */
export interface OsUser {
  uid: number
  gid: number
}

const NAME = 'postgres'

function findAccount(): OsUser | null {
  const [uid, gid] = ['-u', '-g'].map(what => {
    const { status, stdout } = spawnSync('id', [what, NAME], { encoding: 'utf8' })
    return status === 0 ? Number.parseInt(stdout, 10) : Number.NaN
  })
  if (uid === undefined || gid === undefined || Number.isNaN(uid) || Number.isNaN(gid)) return null
  return { uid, gid }
}

/** With the tools of most distributions, else with busybox's. */
function createAccount(): void {
  const home = ['--home-dir', '/nonexistent', '--no-create-home', '--shell', '/usr/sbin/nologin']
  // Debian's `su` leaves root without /usr/sbin in the path.
  for (const folder of ['', '/usr/sbin/']) {
    if (spawnSync(`${folder}useradd`, ['--system', '--user-group', ...home, NAME]).status === 0) return
    spawnSync(`${folder}addgroup`, ['-S', NAME])
    spawnSync(`${folder}adduser`, ['-S', '-D', '-H', '-G', NAME, NAME])
  }
}

/**
 * Chooses the user that PostgreSQL runs as. Null: this process's own user. PostgreSQL refuses root,
 * so for root it is the owner of the existing cluster, else the system user `postgres`, which is
 * created when it is missing. Throws when that fails.
 */
export function chooseOsUser(clusterFolder: string): OsUser | null {
  if (process.getuid?.() !== 0) return null
  if (existsSync(clusterFolder)) {
    const { uid, gid } = statSync(clusterFolder)
    if (uid !== 0) return { uid, gid }
  }
  const found = findAccount()
  if (found) return found
  createAccount()
  const created = findAccount()
  if (created) return created
  throw new Error(
    `PostgreSQL does not run as root, and the system user ${NAME} could not be created: create it, or start as another user`,
  )
}

/**
 * Whether the permission bits let the user run the program, or enter the folder, at `path` (a real
 * path), and enter all folders above it.
 */
export function canReach(path: string, account: OsUser): boolean {
  const { uid, gid, mode } = statSync(path)
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
  if ((mode & bit) === 0) return false
  const parent = dirname(path)
  return parent === path || canReach(parent, account)
}

/** Makes the user the owner of the folder and everything in it. */
export function giveTo(account: OsUser, folder: string): void {
  lchownSync(folder, account.uid, account.gid)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
}
