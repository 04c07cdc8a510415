import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Stands for a push service: it counts messages. */
export interface PushReceiver {
  readonly received: number
  /** The body of the request that subscribes a phone. */
  subscriptionOf(person: number): string
  /** Waits for this number of messages since the start. */
  settle(expected: number, waitMs: number): Promise<void>
  close(): void
}

const LOOK_MS = 50
const CREATED = 201

/** All phones have the same key: nobody reads the messages. */
export async function openPushReceiver(): Promise<PushReceiver> {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1
      response.writeHead(CREATED).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  const alerts = { mention: true, favourite: true, reblog: true, follow: true }
  return {
    get received() {
      return received
    },
    subscriptionOf: person =>
      JSON.stringify({
        subscription: { endpoint: `http://127.0.0.1:${port}/${person}`, keys, standard: true },
        data: { alerts },
      }),
    async settle(expected, waitMs) {
      const until = performance.now() + waitMs
      const isMissing = (): boolean => received < expected && performance.now() < until
      while (isMissing()) await delay(LOOK_MS)
    },
    close: () => server.close(),
  }
}
