import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import { loggedEvent } from '../../support/logged_event.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import type { Id } from '../../../src/core/id.ts'
import { Subscription } from '../../../src/platform/streaming/channel.ts'
import { SocketEncoder } from '../../../src/platform/streaming/frame.ts'
import { createHub, type Refresh } from '../../../src/platform/streaming/hub.ts'

/** A reader of some channels of a hub; records its messages until it is interrupted. */
function reader() {
  const received: string[] = []
  const subscriber = {
    closed: false,
    waitingBytes: 0,
    send(message: string | Buffer): void {
      if (!subscriber.closed) received.push((JSON.parse(String(message)) as { payload: string }).payload)
    },
    drained: () => undefined,
    endWithError: () => undefined,
    disconnectToResume(): void {
      subscriber.closed = true
    },
  }
  return { received, subscriber, isOpen: () => !subscriber.closed }
}

/**
 * A hub with the channels `a` and `b`; the test decides when the frames of each event are rendered.
 */
function setUp() {
  const log$ = new Subject<LoggedEvent>()
  const works: PromiseWithResolvers<{ event: string; payload: string } | undefined>[] = []
  const refreshing = Promise.withResolvers<void>()
  const errors: unknown[] = []
  const ended: Id[] = []
  let count = 0
  const sent: number[] = []
  const hub = createHub<undefined>(
    { log$, writtenAt: () => count },
    {
      routes: {
        'status.counted': ({ status_id: name }, channels) =>
          ['a', 'b'].flatMap(one => {
            const channel = channels.get('test', one)
            if (!channel || (name !== one && name !== 'both')) return []
            const work = Promise.withResolvers<{ event: string; payload: string } | undefined>()
            works.push(work)
            return [{ channel, frame: work.promise }]
          }),
      },
      refreshes: { 'filters.changed': (): Refresh => ({ accounts: ['7'], done: refreshing.promise }) },
    },
    {
      disconnectToResume: account => ended.push(account),
      onInterrupted: () => undefined,
      onError: error => errors.push(error),
      onSent: at => sent.push(at),
    },
  )
  const join = (name: string, subscriber: ReturnType<typeof reader>['subscriber']): void =>
    hub.join('test', name, new Subscription(subscriber, undefined, new SocketEncoder([name], false), name))
  const emit = (kind: string, name = ''): void => {
    count += 1
    log$.next(loggedEvent(kind, { id: String(count), status_id: name }))
  }
  return { hub, works, errors, ended, sent, join, emit, refreshing }
}

const frame = (payload: string): { event: string; payload: string } => ({ event: 'update', payload })
const away = new ApiError('unavailable')
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('a frame that fails because the database is unavailable closes the connection before any later frame', async () => {
  const { works, errors, sent, join, emit } = setUp()
  const [both, other] = [reader(), reader()]
  join('a', both.subscriber)
  join('b', both.subscriber)
  join('b', other.subscriber)
  for (const name of ['a', 'both', 'b']) emit('status.counted', name)
  for (const [at, work] of works.entries()) {
    if (at === 1) work.reject(away)
    else work.resolve(frame(`frame ${at}`))
  }
  await turn()
  // Neither is the frame of the same event on another channel sent: a client with its id would
  // resume after the missed frame.
  assert.deepEqual([both.received, both.isOpen()], [['frame 0'], false])
  assert.deepEqual([other.received, other.isOpen()], [['frame 2', 'frame 3'], true])
  assert.deepEqual(errors, [])
  assert.deepEqual(sent, [1, 2, 3], 'events that had recipients')
})

test('a frame with a permanent error is dropped alone', async () => {
  const { works, errors, join, emit } = setUp()
  const one = reader()
  join('a', one.subscriber)
  emit('status.counted', 'a')
  emit('status.counted', 'a')
  works[0]?.reject(new Error('a fault of ours'))
  works[1]?.resolve(frame('next'))
  await turn()
  assert.deepEqual([one.received, one.isOpen(), errors.length], [['next'], true, 1])
})

test('rendering that never ends closes the connections that wait for it', async () => {
  const { hub, works, join, emit } = setUp()
  const [waits, other] = [reader(), reader()]
  join('a', waits.subscriber)
  join('b', other.subscriber)
  emit('status.counted', 'a')
  emit('status.counted', 'b')
  works[1]?.resolve(frame('of b'))
  await turn()
  assert.deepEqual(other.received, [])
  hub.giveUp(0)
  assert.deepEqual([waits.isOpen(), other.received, other.isOpen()], [false, ['of b'], true])
})

test('when the refresh of a reader fails, the streams of the account end', async () => {
  const { works, ended, join, emit, refreshing } = setUp()
  const one = reader()
  join('a', one.subscriber)
  emit('filters.changed')
  emit('status.counted', 'a')
  works[0]?.resolve(frame('after'))
  await turn()
  assert.deepEqual([ended, one.received], [[], []])
  refreshing.reject(away)
  await turn()
  assert.deepEqual([ended, one.received], [['7'], ['after']])
})

test('readers who are not there yet are refreshed too: they may be resuming', async () => {
  const log$ = new Subject<LoggedEvent>()
  let refreshed = 0
  const refresh = (): undefined => void (refreshed += 1)
  const routed = (): never[] => assert.fail('nobody gets it')
  const ignore = (): void => undefined
  createHub<undefined>(
    { log$, writtenAt: () => 0 },
    { routes: { 'status.counted': routed }, refreshes: { 'filters.changed': refresh } },
    { disconnectToResume: ignore, onInterrupted: ignore, onError: ignore, onSent: ignore },
  )
  log$.next(loggedEvent('filters.changed'))
  log$.next(loggedEvent('status.counted'))
  assert.equal(refreshed, 1)
})
