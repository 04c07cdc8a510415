import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { waitForAllEventLogs } from './processes.ts'
import type { ServerAddress } from './server.ts'

/** A server-sent event. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

const WAIT_MS = 30_000

/** Heartbeats, and the empty comments that follow events; not the greeting. */
const COMMENTS = /^:(?:thump)?\n/gm

/** A stream of server-sent events that stores everything received. */
export class TestEvents {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All received text. */
  text = ''
  /** Whether the server has ended the response. */
  ended = false
  readonly #response: IncomingMessage
  #taken = 0
  #waiting: (() => void)[] = []

  constructor(response: IncomingMessage) {
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.receive(text))
    response.on('end', () => this.finish())
    response.on('error', () => this.finish())
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#response.pause()
  }

  resume(): void {
    this.#response.resume()
  }

  /** `text` without comments, such as heartbeats at unpredictable times. */
  get textWithoutComments(): string {
    return this.text.replace(COMMENTS, '')
  }

  private receive(text: string): void {
    this.text += text
    this.#wake()
  }

  private finish(): void {
    this.ended = true
    this.#wake()
  }

  /** The events received so far. */
  get events(): ServerSentEvent[] {
    return this.text
      .replace(/^:.*\n/gm, '')
      .split('\n\n')
      .slice(0, -1)
      .map(block => {
        const fields = new Map(block.split('\n').map(line => [line.split(': ', 1)[0], line.replace(/^[^:]*: ?/, '')]))
        return { id: fields.get('id'), event: fields.get('event') ?? '', data: fields.get('data') ?? '' }
      })
  }

  /** Takes the next event of this name; fails with its name after 30 seconds. */
  async next(event: string): Promise<ServerSentEvent> {
    let found = -1
    await this.until(() => {
      found = this.events.findIndex((one, index) => index >= this.#taken && one.event === event)
      return found >= 0
    }, `event "${event}"`)
    this.#taken = found + 1
    const one = this.events[found]
    if (!one) throw new Error('no event')
    return one
  }

  async until(isThere: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS
    while (!isThere()) {
      const leftMs = deadline - Date.now()
      if (leftMs <= 0 || this.ended) throw new Error(`no ${what}; there was: ${this.text.slice(-500)}`)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, leftMs)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  /** Resolves when the server ends the response. */
  async end(): Promise<void> {
    await this.until(() => this.ended, 'end').catch(error => {
      if (!this.ended) throw error
    })
  }

  close(): void {
    this.#response.destroy()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

/** Opens a path below /api/v1/streaming and waits for the head of the response. */
export async function openEvents(
  server: ServerAddress,
  token: string | undefined,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestEvents> {
  await waitForAllEventLogs(server.url)
  return new Promise((resolve, reject) => {
    const url = new URL(`/api/v1/streaming/${path}`, server.url)
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const sent = request(url, { headers: { ...authorization, ...headers }, agent: false }, response => {
      resolve(new TestEvents(response))
    })
    sent.on('error', reject)
    sent.end()
  })
}
