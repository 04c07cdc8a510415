import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createTemplate } from '../support/database.ts'
import { spawnProgram, type Program } from '../support/program.ts'
import type { ServerAddress } from '../support/server.ts'
import { startCpuMeter, type CpuMeter } from './cpu_meter.ts'

/** What a process uses, after a full collection. */
export interface Memory {
  readonly heapBytes: number
  readonly externalBytes: number
  readonly rssBytes: number
  /** Timers, sockets and the like that keep its event loop alive. */
  readonly resources: number
}

/** A server in a process of its own, as an operator runs it. */
export interface ServerProcess extends ServerAddress {
  readonly dataDir: string
  readonly program: Program
  readonly cpu: CpuMeter
  memory(): Promise<Memory>
  stop(): Promise<void>
}

async function askMemory(child: ChildProcess): Promise<Memory> {
  const response = once(child, 'message')
  child.send('memory')
  return ((await response) as [Memory])[0]
}

const ROOT = path.join(import.meta.dirname, '../..')
const ARGS = [
  '--max-semi-space-size=8',
  '--expose-gc',
  '--import',
  './src/app/type_stripping/load.js',
  '--import',
  path.join(import.meta.dirname, 'measure.ts'),
  path.join(ROOT, 'src/main.ts'),
]

/** Resolves when the server answers. @throws Error when it ends before */
async function untilHealthy(program: Program): Promise<void> {
  let isOver = false
  void program.exited().then(() => (isOver = true))
  for (;;) {
    const isHealthy = await fetch(`${program.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    if (isOver) throw new Error(`the server ended: ${program.errors}`)
    await delay(POLL_MS)
  }
}

const POLL_MS = 50

/** Starts a server with a database of its own, so that both processors are used. */
export async function startServerProcess(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const database = await createTemplate({ vacuums: true })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-fuzz-'))
  const { program, child } = await spawnProgram(
    {
      BIND: '127.0.0.1',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      CRON: 'on',
      // Small caches are full early, so that the memory of a long run shows leaks only.
      CACHE_MB: '16',
      ALLOW_PRIVATE_ADDRESSES: 'on',
      ...env,
      // The same options for both: `--cpu-prof` shows where the time goes.
      ...(process.env['NODE_OPTIONS'] !== undefined && { NODE_OPTIONS: process.env['NODE_OPTIONS'] }),
    },
    { args: ARGS, ipc: true },
  )
  const cpu = startCpuMeter(program.pid)
  const stop = async (): Promise<void> => {
    cpu.stop()
    program.kill('SIGTERM')
    await program.exited()
    await program.end()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilHealthy(program)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: program.url, databaseUrl: database.url, dataDir, program, cpu, memory: () => askMemory(child), stop }
}
