import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { Inbox } from '../../support/inbox.ts'

/** A received request. */
export interface Received {
  readonly path: string
  readonly signature: unknown
  readonly type: unknown
  readonly text: string
  readonly body: { event: string; created_at: string; object: Record<string, unknown> & { id: string } }
}

/** A program that receives webhooks. */
export interface Receiver {
  readonly url: string
  readonly inbox: Inbox<Received>
  /** The statuses of the next responses; later ones are 200. */
  answers(...statuses: number[]): void
  next(event: string): Promise<Received>
}

export const sign = (secret: string, text: string): string =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

/** Starts a receiver at a free port until the test ends. */
export async function startReceiver(t: Test): Promise<Receiver> {
  const inbox = new Inbox<Received>(({ body }) => body.event)
  const statuses: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const { 'x-hub-signature': signature, 'content-type': type } = request.headers
      inbox.push({
        path: `${request.method} ${request.url}`,
        signature,
        type,
        text,
        body: JSON.parse(text) as Received['body'],
      })
      response.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end('thank you')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    inbox,
    answers: (...next) => void statuses.push(...next),
    next: event => inbox.take(event, ({ body }) => body.event === event),
  }
}
