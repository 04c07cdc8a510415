import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../core/config.ts'
import type { Connection } from '../platform/database/index.ts'
import { RestartError } from './restart_error.ts'

/**
 * The version of the messages between this process and those that it starts, which may have newer
 * code: the order and the answer here, and the assignment of worker.ts. Increase it with each
 * change that an older process does not understand.
 */
export const PROTOCOL = 1

/** The order to a new process that prepares a restart. */
export interface PrepareOrder {
  readonly protocol: number
  /** The present configuration. */
  readonly config: Config
  readonly connection: Connection
  readonly isEmbedded: boolean
}

/** The configuration and the database for new workers. */
export interface Prepared {
  readonly config: Config
  readonly connection: Connection
}

/** The response of the preparing process. */
export type PrepareResponse = { readonly prepared: Prepared } | { readonly refused: string }

const PREPARATION = fileURLToPath(new URL('./preparation.ts', import.meta.url))
const BUILD = fileURLToPath(new URL('./type_stripping/build.js', import.meta.url))
const LOADER = 'type_stripping/load.js'
const MAX_OUTPUT = 2_000

const isResponse = (message: unknown): message is PrepareResponse =>
  typeof message === 'object' && message !== null && ('prepared' in message || 'refused' in message)

/** As before `npm start`: the copies of the source without types are brought up to date. */
async function build(signal: AbortSignal): Promise<void> {
  if (!process.execArgv.some(argument => argument.endsWith(LOADER))) return
  const child = spawn(process.execPath, [BUILD, '--optional'], { stdio: 'ignore', signal })
  // Without the copies the start is slower.
  child.on('error', () => undefined)
  await once(child, 'close')
}

/** The line of a stack trace with the message. */
const summaryOf = (output: string): string =>
  output.split('\n').find(line => /^\w*Error\b/.test(line)) ?? output.trim().split('\n').at(-1) ?? ''

/**
 * Reads the configuration as it is now and migrates the database, in a process with the code as it
 * is now.
 * @throws RestartError with the reason
 */
export async function prepareSuccessors(order: Omit<PrepareOrder, 'protocol'>, signal: AbortSignal): Promise<Prepared> {
  await build(signal)
  const child = fork(PREPARATION, { serialization: 'json', stdio: ['ignore', 'inherit', 'pipe', 'ipc'], signal })
  let output = ''
  let response: PrepareResponse | undefined
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_OUTPUT)))
  child.on('message', message => {
    if (isResponse(message)) response = message
  })
  // `close` follows.
  child.on('error', () => undefined)
  child.send({ ...order, protocol: PROTOCOL } satisfies PrepareOrder, () => undefined)
  const [code] = await once(child, 'close')
  if (response && 'prepared' in response) return response.prepared
  if (response) throw new RestartError(response.refused)
  if (signal.aborted) throw new RestartError('the server stops')
  throw new RestartError(`the new code does not start (${String(code)}): ${summaryOf(output)}`)
}
