import assert from 'node:assert/strict'
import { test } from 'tap'
import { loggedEvent } from '../../support/logged_event.ts'
import { cursorOf, type LoggedEvent } from '../../../src/platform/events/index.ts'
import { Subscription } from '../../../src/platform/streaming/channel.ts'
import { SocketEncoder } from '../../../src/platform/streaming/frame.ts'
import { createResumer } from '../../../src/platform/streaming/resume.ts'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** A connection whose reader reads nothing by itself; it counts what waits for the reader. */
class Connection {
  closed = false
  received: string[] = []
  waiting = 0
  waitingBytes = 0
  /** Each message counts as so many bytes. */
  messageBytes = 0
  mostWaiting = 0
  interrupted = false
  /** Whether the reader reads whenever somebody waits for it. */
  readonly reads: boolean
  #drained: PromiseWithResolvers<void> | undefined
  /** Resolves when something waits for the reader. */
  readonly stuck = Promise.withResolvers<void>()

  constructor(reads = false) {
    this.reads = reads
  }

  send(message: string | Buffer): void {
    if (this.closed) return
    this.received.push((JSON.parse(String(message)) as { payload: string }).payload)
    this.waiting += 1
    this.waitingBytes += this.messageBytes
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting)
  }

  drained(): Promise<void> | undefined {
    if (this.waiting === 0 || this.closed) return undefined
    this.stuck.resolve()
    if (this.reads) setImmediate(() => this.read())
    this.#drained ??= Promise.withResolvers<void>()
    return this.#drained.promise
  }

  /** The reader reads all that waits. */
  read(): void {
    this.waiting = 0
    this.waitingBytes = 0
    this.#drained?.resolve()
    this.#drained = undefined
  }

  close(): void {
    this.closed = true
    this.read()
  }

  endWithError(): void {}

  disconnectToResume(): void {
    this.interrupted = true
    this.close()
  }
}

/** A log of so many events, all of which everybody gets. */
function setUp(many: number, drainMs?: number) {
  const log = Array.from({ length: many }, (_, at) => loggedEvent('status.counted', { id: String(at + 1) }))
  const rendered = { count: 0 }
  const end = cursorOf(log.at(-1) ?? loggedEvent('status.counted'))
  async function* pages(): AsyncGenerator<readonly LoggedEvent[], void, void> {
    await turn()
    yield log
  }
  const resumer = createResumer<undefined>(
    { position: () => end, replay: () => Promise.resolve(pages()) },
    {
      'status.counted': ({ id }, channels) =>
        [...channels.all('test')].map(channel => {
          rendered.count += 1
          return { channel, frame: turn().then(() => ({ event: 'update', payload: id })) }
        }),
    },
    error => {
      throw error
    },
    drainMs,
  )
  let joined = 0
  const resume = async (owner: string, connection: Connection): Promise<boolean> => {
    const subscription = new Subscription(connection, undefined, new SocketEncoder(['test'], false), 'test')
    const missed = { owner, family: 'test', name: 'one', subscription, filter: {} }
    return resumer.resume(missed, '1-0', () => (joined += 1))
  }
  return { rendered, resume, joined: () => joined }
}

test('a replay waits for its reader after a few events, and keeps their order', async () => {
  const { resume, joined } = setUp(100)
  const connection = new Connection(true)
  assert.equal(await resume('7', connection), true)
  assert.equal(joined(), 1)
  assert.ok(connection.mostWaiting <= 16, `${connection.mostWaiting} messages waited`)
  assert.deepEqual(
    connection.received,
    Array.from({ length: 100 }, (_, at) => String(at + 1)),
  )
})

test('a replay of large messages waits for its reader after fewer of them', async () => {
  const { resume } = setUp(20)
  const connection = new Connection(true)
  connection.messageBytes = 30_000
  assert.equal(await resume('7', connection), true)
  assert.equal(connection.received.length, 20)
  assert.equal(connection.mostWaiting, 3)
})

test('a replay renders nothing for a client that is gone', async () => {
  const { resume, rendered, joined } = setUp(500)
  const connection = new Connection()
  const over = resume('7', connection)
  await connection.stuck.promise
  connection.close()
  assert.equal(await over, true)
  assert.equal(joined(), 0)
  assert.ok(rendered.count <= 16, `${rendered.count} were rendered`)
  const gone = new Connection()
  gone.close()
  await resume('7', gone)
  assert.ok(rendered.count <= 16, `${rendered.count} were rendered`)
})

test('readers that do not read keep nobody from resuming', async () => {
  const { resume } = setUp(20)
  const deaf = Array.from({ length: 30 }, () => new Connection())
  const over = Promise.all(deaf.map(connection => resume('7', connection)))
  await Promise.all(deaf.slice(0, 4).map(connection => connection.stuck.promise))
  const quick = new Connection(true)
  await resume('8', quick)
  assert.equal(quick.received.length, 20)
  for (const connection of deaf) connection.close()
  await over
})

test('an account that resumes many streams lets others go first', async () => {
  const { resume } = setUp(20)
  const ended: string[] = []
  const start = async (owner: string): Promise<void> => {
    await resume(owner, new Connection(true))
    ended.push(owner)
  }
  await Promise.all([...Array.from({ length: 40 }, () => start('7')), start('8')])
  assert.ok(ended.indexOf('8') < 10, `it was number ${ended.indexOf('8')}`)
})

test('a reader that reads nothing for long is disconnected, so that it resumes', async () => {
  const { resume, joined } = setUp(20, 20)
  const connection = new Connection()
  assert.equal(await resume('7', connection), true)
  assert.ok(connection.interrupted)
  assert.equal(joined(), 0)
})
