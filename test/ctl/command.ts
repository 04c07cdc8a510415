import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createTestDatabase, execute } from '../support/database.ts'

const MAIN = fileURLToPath(new URL('../../src/ctl/main.ts', import.meta.url))

/** What a command left behind. */
export interface Ran {
  code: number | null
  out: string
  err: string
}

/** The command line on a database of its own, run as operators run it: as a process. */
export interface CommandLine {
  databaseUrl: string
  folder: string
  run(...given: string[]): Promise<Ran>
  /** As `run`, for a command that is to succeed: its output. */
  ok(...given: string[]): Promise<string>
  sql(statement: string): Promise<Record<string, unknown>[]>
}

/** Runs the command line in an environment that has nothing of ours but what is given. */
export async function runCommand(given: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  })
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

export async function createCommandLine(t: TestContext, databaseUrl?: string): Promise<CommandLine> {
  const url = databaseUrl ?? (await createTestDatabase(t)).url
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-ctl-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const run = (...given: string[]): Promise<Ran> =>
    runCommand(given, { DATABASE_URL: url, DATA_DIR: folder, PUBLIC_URL: 'https://ctl.example' })
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
