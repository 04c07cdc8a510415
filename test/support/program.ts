import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { freePort } from './port.ts'

const ENTRY = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WAIT_MS = 60_000

/** The exit of a program. */
export interface ProgramExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * The server as an operator runs it: a separate process and process group, with only the given
 * environment.
 */
export class Program {
  readonly url: string
  /** Lines of its log, parsed. */
  readonly log: Record<string, unknown>[] = []
  readonly #child: ChildProcess
  readonly #ended: Promise<ProgramExit>
  readonly #exited: Promise<ProgramExit>
  #isClosed = false
  #errors = ''
  #wake: (() => void)[] = []

  constructor(child: ChildProcess, url: string) {
    this.url = url
    this.#child = child
    // The output may end after the process.
    this.#ended = once(child, 'close').then(([code, signal]) => {
      this.#isClosed = true
      this.#ring()
      return { code: code as number | null, signal: signal as NodeJS.Signals | null }
    })
    this.#exited = once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }))
    if (!child.stdout || !child.stderr) throw new Error('the program has no output')
    child.stderr.setEncoding('utf8').on('data', text => (this.#errors += String(text)))
    createInterface(child.stdout).on('line', line => {
      this.log.push(JSON.parse(line) as Record<string, unknown>)
      this.#ring()
    })
  }

  /** Its standard error. */
  get errors(): string {
    return this.#errors
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  #ring(): void {
    for (const wake of this.#wake.splice(0)) wake()
  }

  /**
   * The first log line with this message; fails with the output when the program ends before, or
   * after a minute.
   */
  async logged(message: string): Promise<Record<string, unknown>> {
    const until = Date.now() + WAIT_MS
    for (;;) {
      const found = this.log.find(line => line['msg'] === message)
      if (found) return found
      const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null
      if (hasEnded || Date.now() >= until) {
        const lines = this.log.map(line => JSON.stringify(line)).join('\n')
        throw new Error(
          `the program did not log "${message}"${hasEnded ? ' and ended' : ''}:\n${this.errors}\n${lines}`,
        )
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, until - Date.now())
        this.#wake.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Waits until the process and its output have ended. */
  ended(): Promise<ProgramExit> {
    return this.#ended
  }

  /** Waits until the process has ended, regardless of its child processes. */
  exited(): Promise<ProgramExit> {
    return this.#exited
  }

  /** Sends the signal to the process. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Sends SIGINT to all processes of the group, like Ctrl-C. */
  interrupt(): void {
    process.kill(-this.pid, 'SIGINT')
  }

  /** Kills the process group. */
  async end(): Promise<void> {
    if (!this.#isClosed) {
      try {
        process.kill(-this.pid, 'SIGKILL')
      } catch {
        // The group has ended already.
      }
    }
    await this.#ended
  }
}

/** The command of a program. */
export interface ProgramCommand {
  readonly command: string
  readonly args: readonly string[]
}

const SERVER: ProgramCommand = {
  command: process.execPath,
  args: ['--import', './src/app/type_stripping/load.js', ENTRY],
}

export interface SpawnOptions extends Partial<ProgramCommand> {
  /** Whether messages can be exchanged with the process. */
  readonly ipc?: boolean
}

/** Starts the server like `npm start`; the caller ends it. Without PORT it gets a free one. */
export async function spawnProgram(
  env: Record<string, string>,
  { command = SERVER.command, args = SERVER.args, ipc = false }: SpawnOptions = {},
): Promise<{ program: Program; child: ChildProcess }> {
  const port = env['PORT'] ?? String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = spawn(command, args, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    env: { PATH: process.env['PATH'] ?? '', PORT: port, PUBLIC_URL: url, RATE_LIMITS: 'off', CRON: 'off', ...env },
  })
  return { program: new Program(child, url), child }
}

/** Starts the server like `npm start`, until the test ends. Without PORT it gets a free one. */
export async function startProgram(t: Test, env: Record<string, string>, command?: ProgramCommand): Promise<Program> {
  const { program } = await spawnProgram(env, command)
  t.after(() => program.end())
  return program
}
