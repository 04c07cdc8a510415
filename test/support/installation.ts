import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { chooseTemporaryFolder, connectionUrl } from './cluster.ts'
import { startProgram, type Program, type ProgramCommand } from './program.ts'
import type { ServerAddress } from './server.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COPIED = ['src', 'sql', 'package.json', '.build']

/** The server's files, in the repository or elsewhere. */
export interface Installation {
  readonly folder: string
  /** Runs the server. */
  readonly server: ProgramCommand
  /** Runs a command of the command line with only this environment. */
  ctl(env: Record<string, string>, ...given: string[]): Promise<{ code: number; output: string; errors: string }>
}

/** The files in a folder with the layout of the repository. */
function installationIn(folder: string): Installation {
  const load = ['--import', join(folder, 'src/app/type_stripping/load.js')]
  const at = (file: string): string[] => [...load, join(folder, file)]
  return {
    folder,
    server: { command: process.execPath, args: at('src/main.ts') },
    ctl: (env, ...given) =>
      new Promise(resolve => {
        const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
        execFile(process.execPath, [...at('src/cli/main.ts'), ...given], options, (error, output, errors) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output, errors })
        })
      }),
  }
}

/** The repository itself. */
export const ownInstallation = installationIn(ROOT)

/** A copy that a test may change, removed at its end. */
export function copyInstallation(t: Test): Installation {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-installed-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of COPIED) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return installationIn(folder)
}

/** A server with a data folder and a file of settings of its own. */
export interface Running {
  readonly program: Program
  readonly server: ServerAddress
  readonly dataDir: string
  readonly env: Record<string, string>
  /** The file of `ENV_FILE`. */
  readonly envFile: string
}

/** The URL of the embedded database of a data folder. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8')
  const host = join(dataDir, 'postgres')
  return connectionUrl({ host, port: 5432, user: 'millrace', password, database: 'millrace' })
}

/**
 * Starts the server of an installation, until the test ends.
 * @param options.databaseUrl undefined: the embedded database
 */
export async function startInstalled(
  t: Test,
  installation: Installation,
  options: { workers: number; databaseUrl: string | undefined },
): Promise<Running> {
  const dataDir = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-running-'))
  t.after(async () => {
    await stopAbandoned(dataDir, () => {})
    rmSync(dataDir, { recursive: true, force: true })
  })
  return startInstalledIn(t, installation, dataDir, options)
}

/** As `startInstalled`, in a folder that the caller removes. */
export async function startInstalledIn(
  t: Test,
  { server: command }: Installation,
  dataDir: string,
  { workers = 1, databaseUrl }: { workers?: number; databaseUrl?: string | undefined } = {},
): Promise<Running> {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const envFile = join(dataDir, 'settings')
  writeFileSync(envFile, `WORKERS=${workers}\nDATABASE_POOL=4\n`)
  const env = { DATA_DIR: dataDir, ENV_FILE: envFile, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  const program = await startProgram(t, env, command)
  await program.logged('listening')
  const server = { url: program.url, databaseUrl: databaseUrl ?? embeddedUrl(dataDir) }
  return { program, dataDir, env, envFile, server }
}
