import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A local server in a process of its own. */
export interface Launched {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the first API response. */
  readonly startMs: number
  stop(): Promise<void>
}

/** The folder of this checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Like `npm start`. */
const serverOf = (root: string): string[] => [
  '--max-semi-space-size=8',
  '--import',
  path.join(root, 'src/app/type_stripping/load.js'),
  path.join(root, 'src/main.ts'),
]
const START_MS = 120_000
const LOOK_MS = 5
const MAX_OUTPUT = 4000

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * The environment variables that a program needs, and Node.js profiling options. Others are not
 * passed on, above all DATABASE_URL.
 */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS']

/** The environment of a measured server: as `npm start`, no rate limits, and few log messages. */
export const serverEnvironment = (dataDir: string, port: number, workers: number): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(PASSED_ON.map(name => [name, process.env[name]])),
  DATA_DIR: dataDir,
  PORT: String(port),
  BIND: '127.0.0.1',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  WORKERS: String(workers),
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  MALLOC_ARENA_MAX: '2',
})

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v2/instance`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

/** @throws Error with the server's output if it exits before responding */
async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT)))
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT)))
  const until = performance.now() + START_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server exited during its start: ${output}`)
    if (await answers(url)) return
    await delay(LOOK_MS)
  }
  throw new Error(`the server did not respond: ${output}`)
}

/**
 * @param root the folder of the checkout
 * @param profile the folder for a CPU profile, which is written when the server ends
 */
export async function launchServer(
  dataDir: string,
  port: number,
  {
    root = ROOT,
    workers,
    profile,
    federates,
  }: { root?: string; workers: number; profile?: string | undefined; federates?: boolean },
): Promise<Launched> {
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...serverEnvironment(dataDir, port, workers),
    ...(federates === true && { ALLOW_PRIVATE_ADDRESSES: 'on' }),
  }
  const startedAt = performance.now()
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`]
  // A process group of its own: Ctrl-C goes to the benchmark, which then stops the server properly.
  const child = spawn(process.execPath, [...profiling, ...serverOf(root)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  try {
    await untilItAnswers(child, url)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid: child.pid ?? 0, startMs: performance.now() - startedAt, stop }
}
