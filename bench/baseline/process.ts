import { App, type HttpResponse, type TemplatedApp, type WebSocket } from 'uWebSockets.js'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/database/embedded/index.ts'

/**
 * The machine's limits with the same bytes: a bare route, a bare route with one prepared point
 * query or one small commit, and a bare publish. Runs in a process of its own, like the server.
 */

export interface BaselineOrder {
  readonly port: number
  /** The response of the bare routes. */
  readonly body: string
  /** The frame published for each post, with MARK in place of the post's text. */
  readonly frame: string
  /** The data folder of the database for the statements; undefined: none. */
  readonly dataDir: string | undefined
  /** Whether a row is committed before a post is published. */
  readonly commitsFirst: boolean
}

const POINT_QUERY = { name: 'point', text: 'select a.id, a.username from accounts a where a.id = $1' }
const COMMIT = { name: 'commit', text: 'insert into bench_commits (text) values ($1)' }
const POOL = 10
const POSTED = Buffer.from('{"id":"1"}')

async function openPool(dataDir: string): Promise<pg.Pool> {
  const embedded = await startEmbedded({ dataDir, log: () => undefined })
  const pool = new pg.Pool({ ...embedded.connection, max: POOL })
  await pool.query(
    'create table if not exists bench_commits (id bigint generated always as identity primary key, text text not null)',
  )
  return pool
}

/**
 * Tracks whether the client has disconnected, after which no response may be written. Call it
 * before the handler returns.
 */
function watchAbort(response: HttpResponse): () => boolean {
  let hasExited = false
  response.onAborted(() => {
    hasExited = true
  })
  return () => hasExited
}

/** Responds when the work is done. */
function answerAfter(response: HttpResponse, done: Promise<unknown>, body: Buffer, isGone: () => boolean): void {
  done.then(
    () => {
      if (isGone()) return
      response.cork(() => {
        response.writeHeader('Content-Type', 'application/json; charset=utf-8').end(body)
      })
    },
    () => {
      if (!isGone()) response.cork(() => void response.writeStatus('500').end())
    },
  )
}

/** Extracts the text of a post; the rest of the body is constant. */
function readPost(response: HttpResponse, take: (status: string) => void): void {
  const chunks: Buffer[] = []
  response.onData((chunk, isLast) => {
    chunks.push(Buffer.from(new Uint8Array(chunk)))
    if (!isLast) return
    const { status } = JSON.parse(Buffer.concat(chunks).toString()) as { status: string }
    take(status)
  })
}

function serveRoutes(app: TemplatedApp, order: BaselineOrder, pool: pg.Pool | undefined): void {
  // Bytes: a string would be converted for each response.
  const body = Buffer.from(order.body)
  app.get('/bare', response => {
    response.writeHeader('Content-Type', 'application/json; charset=utf-8').end(body)
  })
  if (!pool) return
  app.get('/query', response =>
    answerAfter(response, pool.query({ ...POINT_QUERY, values: ['1'] }), body, watchAbort(response)),
  )
  app.post('/commit', response => {
    const isGone = watchAbort(response)
    readPost(response, status => answerAfter(response, pool.query({ ...COMMIT, values: [status] }), body, isGone))
  })
}

function serveStream(app: TemplatedApp, { frame, commitsFirst }: BaselineOrder, pool: pg.Pool | undefined): void {
  app.ws('/api/v1/streaming', {
    idleTimeout: 0,
    message: () => undefined,
    maxBackpressure: 16 * 1024 * 1024,
    open: (socket: WebSocket<unknown>) => {
      socket.subscribe('all')
    },
  })
  app.post('/api/v1/statuses', response => {
    const isGone = watchAbort(response)
    readPost(response, status => {
      const before = commitsFirst && pool ? pool.query({ ...COMMIT, values: [status] }) : undefined
      const publish = (): void => void app.publish('all', frame.replace('MARK', status))
      if (before) return answerAfter(response, before.then(publish), POSTED, isGone)
      publish()
      response.cork(() => void response.end(POSTED))
    })
  })
}

async function serve(order: BaselineOrder): Promise<void> {
  const pool = order.dataDir === undefined ? undefined : await openPool(order.dataDir)
  const app = App()
  serveRoutes(app, order, pool)
  serveStream(app, order, pool)
  app.listen('127.0.0.1', order.port, () => {
    process.send?.({ listening: true })
  })
}

if (process.send) {
  process.on('message', (order: BaselineOrder) => void serve(order))
  process.on('disconnect', () => process.exit(0))
}
