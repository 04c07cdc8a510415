import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { collect, type Output } from './results.ts'

/** The result of one test file. */
export interface FileResult extends Output {
  readonly file: string
  /** Its failure outside of tests. */
  readonly trouble: string | undefined
  /** Its standard error. */
  readonly errors: string
  readonly timeMs: number
}

export interface FileOptions {
  /** A file that takes longer is ended, and its current test fails. */
  readonly timeoutMs: number
  readonly env: Record<string, string>
  /** Aborts the file. */
  readonly stop: AbortSignal
}

const ENTRY = fileURLToPath(new URL('entry.ts', import.meta.url))
const LOADER = fileURLToPath(new URL('load.js', import.meta.url))

/** The wait for a process after its signal. */
const END_MS = 5_000

/** Runs a test file in a child process, with this process's Node. */
export async function runFile(file: string, { timeoutMs, env, stop }: FileOptions): Promise<FileResult> {
  const startedAt = performance.now()
  // With NODE_OPTIONS tap would load its bookkeeping into each process that the tests start.
  const command = [
    `NODE_OPTIONS=${process.env['NODE_OPTIONS'] ?? ''}`,
    process.execPath,
    '--import',
    LOADER,
    ENTRY,
    file,
  ]
  const ended = t.spawn('env', command, {
    name: file,
    buffered: true,
    timeout: timeoutMs,
    stdio: 'pipe',
    env: { ...process.env, ...env, TAP_TIMEOUT: String(timeoutMs / 1000) },
  })
  const { subtest } = ended
  if (!subtest) throw new Error(`${file} was not started`)
  const output = collect(subtest.parser)
  const written = { errors: '', begun: '' }
  const attach = (child: ChildProcess): void => {
    child.stderr?.setEncoding('utf8').on('data', text => (written.errors += String(text)))
    child.stdout?.on('data', bytes => (written.begun = lastBegun(String(bytes)) ?? written.begun))
    const end = (): void => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), END_MS).unref()
    }
    stop.addEventListener('abort', end)
    child.once('close', () => stop.removeEventListener('abort', end))
  }
  if (subtest.proc) attach(subtest.proc)
  else subtest.on('process', attach)
  await ended
  const trouble = troubleOf(subtest, output)
  const where =
    trouble === undefined || written.begun === '' ? '' : `; the last test that it told of is "${written.begun}"`
  return {
    ...output,
    file,
    trouble: trouble && `${trouble}${where}`,
    errors: written.errors,
    timeMs: performance.now() - startedAt,
  }
}

/** The name of the last test that has begun, by a partial report. */
const lastBegun = (text: string): string | undefined => [...text.matchAll(/^ *# Subtest: (.+)$/gm)].at(-1)?.[1]

type Spawned = NonNullable<ReturnType<typeof t.spawn>['subtest']>

function troubleOf({ options, timedOut, results }: Spawned, { tests, faults, filtered }: Output): string | undefined {
  if (timedOut || options.signal === 'SIGALRM')
    return 'it took too long, or left something open that keeps the process alive, and was ended'
  if (typeof options.signal === 'string') return `it was ended by ${options.signal}`
  const hasFailed = faults.length > 0 || tests.some(({ outcome }) => outcome === 'failed')
  if (hasFailed) return undefined
  if (typeof options.exitCode === 'number' && options.exitCode !== 0)
    return `it ended with exit code ${options.exitCode}`
  if (results?.ok !== true) return `its report is not whole: ${JSON.stringify(results?.failures)}`
  return tests.length + filtered === 0 ? 'it has no tests' : undefined
}
