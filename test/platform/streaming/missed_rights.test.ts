import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import type { Token, Viewer } from '../../../src/core/viewer.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import type { Sink } from '../../../src/platform/http/response.ts'
import type { Request } from '../../../src/platform/http/request.ts'
import type { TokenStore } from '../../../src/platform/http/token_store.ts'
import { createConnections } from '../../../src/platform/streaming/connections.ts'
import { createEventStreams, type EventConnection } from '../../../src/platform/streaming/sse.ts'
import type { StreamType } from '../../../src/platform/streaming/subscriptions.ts'
import { TimingWheel } from '../../../src/platform/streaming/timing_wheel.ts'
import { createWriteQueue } from '../../../src/platform/streaming/write_queue.ts'
import { loggedEvent } from '../../support/logged_event.ts'

/** Streams must not survive what takes their rights away, whenever it happens. */

const viewer = { id: '7', userId: '70', state: 'functional', suspended: false } as Viewer

/** A store of one token, which `look` replaces or makes fail. */
function setUp() {
  const log$ = new Subject<LoggedEvent>()
  const errors: unknown[] = []
  const token: Token = {
    id: '700',
    applicationId: null,
    scopes: new Set(['read']),
    revoked: false,
    createdAt: new Date(0),
    viewer,
  }
  const store = { revoked: false, away: false }
  const tokens: TokenStore = {
    find: async () => ({ ...token, revoked: store.revoked }),
    async viewer() {
      if (store.away) throw new ApiError('unavailable')
      return viewer
    },
    browserUser: () => Promise.resolve(undefined),
    touch: () => undefined,
  }
  const gauge = { inc: () => undefined, dec: () => undefined }
  const metrics = {
    streams: { labels: () => gauge },
    errors: gauge,
    batched: () => ({ count: 0 }),
  }
  const connections = createConnections<undefined>(log$, tokens, metrics as never, error => errors.push(error))
  const type: StreamType<undefined> = {
    name: 'user',
    scope: 'read:statuses',
    locate: () => ({ family: 'user', name: '7', label: ['user'] }),
    admit: () => Promise.resolve(undefined),
    replays: () => ({}),
  }
  const streams = createEventStreams<undefined>({
    services: { tokens, logger: { error: () => undefined } } as never,
    definition: { types: [type], routes: {}, refreshes: {}, release: () => undefined },
    subscriptions: {
      requireScope: () => undefined,
      find: () => undefined,
      begin: () => undefined,
      end: () => undefined,
      endAll: () => undefined,
    },
    connections,
    limits: { acquire: () => undefined, release: () => undefined },
    thumps: new TimingWheel<EventConnection<undefined>>(1, () => undefined),
    writeQueue: createWriteQueue(),
    isStopping: () => false,
  })
  /** Makes the response, whose body the caller opens. */
  async function respond() {
    const request = { query: 'access_token=secret', address: '', learned: {}, header: () => '' }
    const { status, body } = await streams.respond(request as unknown as Request, 'user')
    assert.equal(status, 200)
    assert.ok(body !== null && typeof body === 'object' && 'open' in body)
    return body
  }
  return { log$, errors, store, connections, respond }
}

/** The client of a stream, which learns its end. */
function client() {
  const ended = Promise.withResolvers<void>()
  const sink: Sink = { write: () => true, drained: () => undefined, end: () => ended.resolve() }
  return { sink, ended: ended.promise }
}

test('a token that is revoked while the response is on its way ends the stream', async () => {
  const { log$, store, respond } = setUp()
  const body = await respond()
  store.revoked = true
  log$.next(loggedEvent('token.revoked', { account_id: '7', object_id: '700' }))
  const { sink, ended } = client()
  body.open(sink)
  await ended
})

test('a stream whose rights cannot be looked up again is closed, so that its client asks anew', async () => {
  const { log$, errors, store, connections, respond } = setUp()
  const { sink, ended } = client()
  ;(await respond()).open(sink)
  assert.equal(connections.size, 1)
  store.away = true
  log$.next(loggedEvent('account.changed', { account_id: '7', data: { change: 'suspended' } }))
  await ended
  assert.equal(errors.length, 1)
})

test('connections that are to be opened again are ended, and later ones stay', async () => {
  const { connections, respond } = setUp()
  const { sink, ended } = client()
  ;(await respond()).open(sink)
  await connections.restart()
  await ended
  const later = client()
  let isOver = false
  void later.ended.then(() => (isOver = true))
  ;(await respond()).open(later.sink)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(isOver, false)
})
