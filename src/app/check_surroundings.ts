import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { InvalidConfig, type Config } from '../core/config.ts'
import { parseDatabaseUrl, TLS_FILES } from '../core/service_urls.ts'
import { probePort } from '../platform/http/port.ts'

/** Error codes of a listening address that retrying cannot cure. */
const PERMANENT_CODES = new Set(['EADDRNOTAVAIL', 'EACCES', 'EINVAL', 'ENOTFOUND', 'EAFNOSUPPORT'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/** The nearest folder above a path that exists, or the path itself. */
async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined)
  return found || path.dirname(folder) === folder ? folder : existing(path.dirname(folder))
}

/** The error if this user can neither write to the folder that a variable names nor create it. */
async function folderError(variable: string, folder: string): Promise<string | undefined> {
  const place = await existing(folder)
  if (!(await stat(place).catch(() => undefined))?.isDirectory())
    return `${variable} must be a folder, but ${place} is none`
  const isWritable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return isWritable ? undefined : `${variable} must be a folder that this user can write to: ${place} is not`
}

/** The errors for files named in DATABASE_URL that cannot be read. */
async function fileErrors(databaseUrl: string | undefined): Promise<string[]> {
  const parameters = databaseUrl === undefined ? undefined : parseDatabaseUrl(databaseUrl)?.searchParams
  const errors: string[] = []
  for (const name of TLS_FILES) {
    const file = parameters?.get(name)
    if (file === undefined || file === null) continue
    const reason = await readFile(file).then(() => undefined, codeOf)
    if (reason !== undefined)
      errors.push(`DATABASE_URL needs ${name} to be a file that can be read: ${file} (${reason})`)
  }
  return errors
}

/**
 * Checks the folders, files and listening addresses that the configuration names, before anything
 * starts.
 * @param own ports that this server already listens on
 * @throws InvalidConfig with one line for each error
 * @throws Error when another program uses a port; a later attempt may succeed
 */
export async function checkSurroundings(config: Config, own: readonly number[] = []): Promise<void> {
  const { dataDir, backupDir, databaseUrl } = config
  const errors = [
    await folderError('DATA_DIR', dataDir),
    backupDir === undefined ? undefined : await folderError('BACKUP_DIR', backupDir),
    ...(await fileErrors(databaseUrl)),
  ].filter(error => error !== undefined)
  let taken: unknown
  for (const [variable, port] of [
    ['PORT', config.port],
    ['HEALTH_PORT', config.healthPort],
  ] as const) {
    if ((variable === 'HEALTH_PORT' && port === 0) || own.includes(port)) continue
    try {
      await probePort(config.bind, port)
    } catch (error) {
      const code = codeOf(error instanceof Error ? error.cause : undefined)
      const culprit = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'BIND' : variable
      if (PERMANENT_CODES.has(code))
        errors.push(`${culprit}: ${error instanceof Error ? error.message : String(error)}`)
      else taken ??= error
    }
  }
  if (errors.length > 0) throw new InvalidConfig([...new Set(errors)].join('\n'))
  if (taken !== undefined) throw taken
}
