import { App, type WebSocket } from 'uWebSockets.js'
import pg from 'pg'
import { startEmbedded } from '../src/database/embedded.ts'

/*
 * What the machine can do at all with the same bytes: a bare route, a bare route behind one prepared point query, and a bare publish.
 * Runs in a process of its own, as the server does.
 */

export interface CeilingOrder {
  port: number
  /** The body that the bare routes answer. */
  body: string
  /** What is published for each post, with MARK where the post's text goes. */
  frame: string
  /** The data folder whose database the point query asks; none: no such route. */
  dataDir: string | undefined
}

async function openPool(dataDir: string): Promise<pg.Pool> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  return new pg.Pool({ ...embedded.connection, max: 10 })
}

async function serve({ port, body, frame, dataDir }: CeilingOrder): Promise<void> {
  const pool = dataDir === undefined ? undefined : await openPool(dataDir)
  const app = App()
  app.get('/bare', response => {
    response.writeHeader('Content-Type', 'application/json; charset=utf-8').end(body)
  })
  app.get('/query', response => {
    let aborted = false
    response.onAborted(() => {
      aborted = true
    })
    const asked = pool?.query({ name: 'point', text: 'select id, username from accounts where id = $1', values: ['1'] })
    void Promise.resolve(asked).then(() => {
      if (aborted) return
      response.cork(() => {
        response.writeHeader('Content-Type', 'application/json; charset=utf-8').end(body)
      })
    })
  })
  app.ws('/api/v1/streaming', {
    idleTimeout: 0,
    message: () => undefined,
    maxBackpressure: 16 * 1024 * 1024,
    open: (socket: WebSocket<unknown>) => {
      socket.subscribe('all')
    },
  })
  app.post('/api/v1/statuses', response => {
    const chunks: Buffer[] = []
    response.onAborted(() => undefined)
    response.onData((chunk, isLast) => {
      chunks.push(Buffer.from(new Uint8Array(chunk)))
      if (!isLast) return
      const { status } = JSON.parse(Buffer.concat(chunks).toString()) as { status: string }
      app.publish('all', frame.replace('MARK', status))
      response.cork(() => {
        response.end('{"id":"1"}')
      })
    })
  })
  app.listen('127.0.0.1', port, () => {
    process.send?.({ listening: true })
  })
}

if (process.send) process.on('message', (order: CeilingOrder) => void serve(order))
