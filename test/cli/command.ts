import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { runCommand } from '../../src/cli/run.ts'
import { createTestDatabase, execute } from '../support/database.ts'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** The result of a command. */
export interface Ran {
  code: number | null
  out: string
  err: string
}

/** The command line on its own database. */
export interface CommandLine {
  databaseUrl: string
  folder: string
  run(...given: string[]): Promise<Ran>
  /** Runs a command that must succeed; returns its output. */
  ok(...given: string[]): Promise<string>
  sql(statement: string): Promise<Record<string, unknown>[]>
}

/**
 * Runs a command in this process, in a tenth of the time of a new process. It reads what is typed
 * where it asks.
 */
export async function runHere(
  given: readonly string[],
  environment: Record<string, string>,
  typed: readonly string[] = [],
): Promise<Ran> {
  const [output, error] = [new PassThrough(), new PassThrough()]
  const [out, err] = [text(output), text(error)]
  const code = await runCommand(given, environment, {
    input: Readable.from(typed.map(line => `${line}\n`)),
    output,
    error,
  })
  output.end()
  error.end()
  return { code, out: await out, err: await err }
}

/** Runs a command as a process whose standard output is a file. */
export async function runInto(
  file: string,
  given: readonly string[],
  environment: Record<string, string>,
): Promise<Pick<Ran, 'code' | 'err'>> {
  const handle = await open(file, 'w')
  try {
    const child = spawn(process.execPath, [MAIN, ...given], {
      stdio: ['ignore', handle.fd, 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', ...environment },
    })
    const [[code], err] = await Promise.all([once(child, 'close'), child.stderr ? text(child.stderr) : ''])
    return { code: code as number | null, err }
  } finally {
    await handle.close()
  }
}

/** Starts a command as a process with nothing but this environment. */
export function startProcess(given: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  })
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail))
  return { child, ended }
}

/** Runs a command as a process until it ends. */
export async function runProcess(given: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const { child, ended } = startProcess(given, environment)
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

export async function createCommandLine(t: Test, databaseUrl?: string): Promise<CommandLine> {
  const url = databaseUrl ?? (await createTestDatabase(t)).url
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-ctl-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const run = (...given: string[]): Promise<Ran> =>
    runHere(given, { DATABASE_URL: url, DATA_DIR: folder, PUBLIC_URL: 'https://ctl.example' })
  return {
    databaseUrl: url,
    folder,
    run,
    async ok(...given) {
      const { code, out, err } = await run(...given)
      if (code !== 0 || err !== '') throw new Error(`${given.join(' ')} ended with ${code}: ${err}`)
      return out
    },
    sql: statement => execute(url, statement),
  }
}
