import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The server that is measured. */
export interface Target {
  readonly url: string
  readonly description: string
  /** Bearer tokens of people; the first posts. */
  readonly tokens: readonly string[]
  /** The data folder of a server of our own, whose database the ceiling with a point query uses too. */
  readonly dataDir: string | undefined
  /** CPU seconds so far and resident bytes of its processes; undefined for a server of somebody else. */
  usage(): Promise<{ cpuSeconds: number; memoryBytes: number } | undefined>
  close(): Promise<void>
}

export interface TargetOptions {
  url?: string
  token: string[]
  accounts: number
  statuses: number
  workers: number
  people: number
}

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLOCK_TICKS = 100
const START_MS = 60_000

/** The server that the options name, or one of its own with seeded data in a temporary folder. */
export async function openTarget(options: TargetOptions, progress: (text: string) => void): Promise<Target> {
  if (options.url === undefined) return startTarget(options, progress)
  if (options.token.length === 0) throw new Error('--url needs at least one --token')
  return {
    url: options.url.replace(/\/+$/, ''),
    description: options.url,
    tokens: options.token,
    dataDir: undefined,
    usage: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function startTarget(options: TargetOptions, progress: (text: string) => void): Promise<Target> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'))
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WORKERS: String(options.workers),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  progress(`seeding ${options.accounts} accounts and ${options.statuses} statuses …`)
  const people = Math.min(options.accounts, options.people)
  const counts = ['--accounts', String(options.accounts), '--statuses', String(options.statuses)]
  const seeded = await output(
    [path.join(ROOT, 'src/ctl/main.ts'), 'seed', ...counts, '--tokens', String(people), '--json'],
    env,
  )
  const tokens = parseTokens(seeded)
  progress('starting the server …')
  const child = spawn(process.execPath, [path.join(ROOT, 'src/main.ts')], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  const url = `http://127.0.0.1:${port}`
  await untilItAnswers(child, url)
  return {
    url,
    description: `a server of its own with ${options.accounts} accounts, ${options.statuses} statuses, ${options.workers} process(es)`,
    tokens,
    dataDir,
    usage: () => usageOf(child.pid ?? 0),
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function parseTokens(seeded: string): string[] {
  const parsed: unknown = JSON.parse(seeded)
  const tokens = typeof parsed === 'object' && parsed !== null && 'tokens' in parsed ? parsed.tokens : undefined
  const found = Array.isArray(tokens) ? tokens.filter(token => typeof token === 'string') : []
  if (found.length === 0) throw new Error('the seed gave no tokens')
  return found
}

async function output(command: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command.slice(1).join(' ')} failed`)
  return text
}

async function untilItAnswers(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_MS
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended at once: ${said}`)
    if (said.includes('listens on') && (await fetch(`${url}/health`)).ok) return
    await Promise.race([once(child.stderr ?? child, 'data'), once(child, 'exit')])
  }
  throw new Error('the server did not start')
}

/** Reads /proc; undefined where there is none. Covers the process and its children (workers, embedded PostgreSQL not). */
export async function usageOf(pid: number): Promise<{ cpuSeconds: number; memoryBytes: number } | undefined> {
  try {
    const pids = [pid, ...(await childrenOf(pid))]
    let cpuSeconds = 0
    let memoryBytes = 0
    for (const one of pids) {
      const stat = await readFile(`/proc/${one}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      cpuSeconds += (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
      memoryBytes += Number(fields[21]) * 4096
    }
    return { cpuSeconds, memoryBytes }
  } catch {
    return undefined
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const children = listed
    .split(' ')
    .filter(word => word !== '')
    .map(Number)
  const named = await Promise.all(
    children.map(async child => ({ child, name: await readFile(`/proc/${child}/comm`, 'utf8') })),
  )
  return named.filter(({ name }) => name.startsWith('node')).map(({ child }) => child)
}
