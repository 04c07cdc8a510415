import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Logger } from '../core/logger.ts'
import type { Restarted } from './cluster.ts'

/**
 * The socket through which the command line controls a running server: one line with a command, one
 * line of JSON as the response. Only the server's user can open it.
 */

/** The response to a command; the command line and the server may be of different releases. */
export type ControlResponse = { readonly restarted: Restarted } | { readonly refused: string }

export interface Commands {
  restart(): Promise<Restarted>
}

/** The size of a socket's address, with its final zero byte, on the strictest platform. */
const ADDRESS_BYTES = 104

const fileIn = (dataDir: string): string => path.join(dataDir, 'control.sock')

/** Calls a function with an address of the socket that is short enough. */
async function withAddress<T>(dataDir: string, work: (address: string) => Promise<T>): Promise<T> {
  const file = fileIn(dataDir)
  if (Buffer.byteLength(file) < ADDRESS_BYTES || process.platform !== 'linux') return work(file)
  const folder = openSync(dataDir, 'r')
  try {
    return await work(`/proc/self/fd/${folder}/${path.basename(file)}`)
  } finally {
    closeSync(folder)
  }
}

/** @throws Error ENOENT or ECONNREFUSED when no server listens */
const open = (address: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(address, () => resolve(socket))
    socket.once('error', reject)
  })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function execute(commands: Commands, line: string): Promise<ControlResponse> {
  try {
    if (line !== 'restart') return { refused: `this server does not know the command "${line}"` }
    return { restarted: await commands.restart() }
  } catch (error) {
    return { refused: messageOf(error) }
  }
}

/**
 * Listens for commands. A socket that a killed server has left is replaced; that of a running one,
 * which uses the same folder, is left alone.
 */
export async function openControl(dataDir: string, logger: Logger, commands: Commands): Promise<{ close(): void }> {
  const server = createServer(socket => {
    socket.on('error', () => undefined) // the command goes on
    createInterface(socket).once('line', line => {
      void execute(commands, line).then(response => socket.end(`${JSON.stringify(response)}\n`))
    })
  })
  const listen = (address: string): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(address, () => {
        server.unref()
        chmodSync(address, 0o600)
        resolve()
      })
    })
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    await withAddress(dataDir, async address => {
      const other = await open(address).catch(() => undefined)
      other?.destroy()
      if (other) throw new Error('another server uses DATA_DIR')
      rmSync(address, { force: true })
      await listen(address)
    })
  } catch (error) {
    const reason = messageOf(error)
    logger.warn({ file: fileIn(dataDir), reason }, '`ctl restart` does not reach this server; SIGUSR2 does')
    return { close: () => undefined }
  }
  return {
    close() {
      server.close()
      rmSync(fileIn(dataDir), { force: true })
    },
  }
}

/**
 * Sends a command to the server of a data folder.
 * @returns undefined when none runs, or it ended before it answered
 */
export async function sendCommand(dataDir: string, command: keyof Commands): Promise<ControlResponse | undefined> {
  const socket = await withAddress(dataDir, open).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
    throw error
  })
  if (!socket) return undefined
  socket.write(`${command}\n`)
  for await (const line of createInterface(socket)) return parseResponse(line)
  return undefined
}

function parseResponse(line: string): ControlResponse {
  const response: unknown = JSON.parse(line)
  if (typeof response !== 'object' || response === null) throw new Error('the server answered something else')
  if ('refused' in response) return { refused: String(response.refused) }
  if (!('restarted' in response) || typeof response.restarted !== 'object' || response.restarted === null)
    throw new Error('the server answered something else')
  const { processes = 0, durationMs = 0 }: Partial<Record<keyof Restarted, unknown>> = response.restarted
  return { restarted: { processes: Number(processes), durationMs: Number(durationMs) } }
}
