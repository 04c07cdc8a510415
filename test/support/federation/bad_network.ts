import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Test } from 'tap'
import type { Certificates } from '../certificates.ts'

/** What became of the deliveries that passed. */
export interface Losses {
  dropped: number
  doubled: number
  delayed: number
}

/**
 * Serves TLS on a port, for a server on another port of this machine, like a bad network: of the
 * deliveries each third is cut off, sometimes after it has arrived; each second is passed on twice;
 * others arrive late, so that they overtake each other.
 */
export async function startBadNetwork(t: Test, certificates: Certificates, port: number, to: number): Promise<Losses> {
  const losses: Losses = { dropped: 0, doubled: 0, delayed: 0 }
  let count = 0

  async function pass(incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { method, url: path, headers } = incoming
    const outgoing = request({ host: '127.0.0.1', port: to, method, path, headers })
    outgoing.end(body)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    return answer
  }

  async function deliver(incoming: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    count += 1
    const number = count
    if (number % 3 === 0) {
      losses.dropped += 1
      if (number % 2 === 0) (await pass(incoming, body)).resume()
      return void response.destroy()
    }
    if (number % 4 === 0) {
      losses.delayed += 1
      for (let turn = 0; turn < 200; turn += 1) await setImmediate()
    }
    const answer = await pass(incoming, body)
    if (number % 2 === 0) {
      losses.doubled += 1
      ;(await pass(incoming, body)).resume()
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array))
    const body = Buffer.concat(chunks)
    if (incoming.method === 'POST') return deliver(incoming, response, body)
    const passed = await pass(incoming, body)
    response.writeHead(passed.statusCode ?? 502, passed.headers)
    passed.pipe(response)
  }

  const server = createServer(
    { key: readFileSync(certificates.key), cert: readFileSync(certificates.certificate) },
    (incoming, response) => {
      answer(incoming, response).catch(() => response.destroy())
    },
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(
    () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return losses
}
