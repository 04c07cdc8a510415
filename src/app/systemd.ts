import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../core/config.ts'
import type { Environment } from '../core/environment.ts'
import type { Logger } from '../core/logger.ts'
import { ownUrl } from '../platform/http/own_url.ts'

/*
 * Notifies systemd as `Type=notify` requires. systemd reads datagrams from a Unix socket, which
 * Node.js cannot send without native code; so the program `systemd-notify` sends them.
 */

const run = promisify(execFile)

const PROGRAM_MS = 10_000
/** A server that takes longer for a response that needs no database is stuck. */
const ANSWER_MS = 10_000

export interface Systemd {
  /** The server listens. */
  ready(): Promise<void>
  /** The server stops; the watchdog is no longer notified. */
  stopping(): Promise<void>
}

/** How often the watchdog must be notified, if systemd watches this process. */
function watchdogMs({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | undefined {
  if (usec === undefined || !/^[1-9]\d*$/.test(usec) || (pid !== undefined && pid !== String(process.pid)))
    return undefined
  // systemd recommends half of its timeout; the response may take a part of it.
  return Number(usec) / 1000 / 3
}

/** Whether the server answers a request, with any status, on a new connection. */
function isResponding(url: string): Promise<boolean> {
  // Not by `import`: 3 MB that are needed only here.
  const { get } = process.getBuiltinModule('node:http')
  return new Promise(resolve => {
    const request = get(url, { agent: false, timeout: ANSWER_MS }, response => {
      response.resume()
      resolve(true)
    })
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.on('error', () => resolve(false))
  })
}

/** Notifies the watchdog while the server responds to requests. */
export function openSystemd(environment: Environment, config: Config, logger: Logger): Systemd {
  if (environment['NOTIFY_SOCKET'] === undefined || environment['NOTIFY_SOCKET'] === '')
    return { ready: async () => undefined, stopping: async () => undefined }
  // It needs no database.
  const probe = `${ownUrl(config)}/api/v1/streaming/health`
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  async function notify(...states: string[]): Promise<void> {
    try {
      await run('systemd-notify', states, { timeout: PROGRAM_MS })
    } catch (error) {
      logger.error({ err: error, states }, 'systemd could not be notified')
    }
  }

  async function feed(everyMs: number): Promise<void> {
    if (await isResponding(probe)) await notify('WATCHDOG=1')
    else logger.error({ url: probe }, 'the server does not answer: the watchdog is not fed')
    if (!isStopping) timer = setTimeout(() => void feed(everyMs), everyMs)
  }

  return {
    async ready() {
      await notify('READY=1')
      const everyMs = watchdogMs(environment)
      if (everyMs !== undefined && !isStopping) void feed(everyMs)
    },
    async stopping() {
      isStopping = true
      clearTimeout(timer)
      await notify('STOPPING=1')
    },
  }
}
