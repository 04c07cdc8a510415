import { serveOrders, watchCpu } from './child.ts'
import { createConnection, writeRequest, type Connection } from './connection.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'

/**
 * A process that posts as an author with many followers, and polls home feeds of followers until
 * each has the post.
 */

export interface FeedLoad {
  readonly url: string
  readonly author: string
  readonly followers: readonly string[]
  readonly posts: number
  readonly connections: number
  readonly waitMs: number
}

export interface FeedOutcome {
  /** From posting to the response, encoded. */
  readonly answers: string
  readonly errors: number
  /**
   * For each post: milliseconds until the last feed had it; posts that some feed never had are
   * counted in `lost`.
   */
  readonly everywhereMs: readonly number[]
  readonly lost: number
  readonly cpu: number
}

const HOME = '/api/v1/timelines/home?limit=1'

function idOf(body: string): string | undefined {
  return /^\{"id":"(\d+)"/.exec(body)?.[1] ?? /"id":"(\d+)"/.exec(body)?.[1]
}

/** Polls each feed until it has the status. @returns how many never had it */
async function look(load: FeedLoad, connections: readonly Connection[], id: string): Promise<number> {
  const url = new URL(load.url)
  const until = performance.now() + load.waitMs
  const waiting = [...load.followers]
  const lane = async (connection: Connection): Promise<void> => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
      const request = writeRequest(url, { method: 'GET', path: HOME, token })
      for (;;) {
        const { body } = await connection.send(request, { keepBody: true })
        if (body.includes(`"id":"${id}"`)) break
        if (performance.now() > until) return void waiting.push(token)
      }
    }
  }
  await Promise.all(connections.map(lane))
  return waiting.length
}

async function measure(load: FeedLoad): Promise<FeedOutcome> {
  const url = new URL(load.url)
  const connections = Array.from({ length: load.connections }, () => createConnection(url))
  const [publisher] = connections
  if (!publisher) throw new Error('there are no connections')
  // A feed becomes active when it is read.
  const feeds = load.followers.map(token => writeRequest(url, { method: 'GET', path: HOME, token }))
  await Promise.all(
    connections.map(async connection => {
      for (let next = feeds.pop(); next; next = feeds.pop()) await connection.send(next)
    }),
  )
  const answers = createLatencies()
  const everywhereMs: number[] = []
  let [errors, lost] = [0, 0]
  const cpu = watchCpu()
  for (let count = 0; count < load.posts; count += 1) {
    const body = JSON.stringify({
      status: `To everybody ${process.pid}-${count}`,
      visibility: 'public',
      language: 'en',
    })
    const request = writeRequest(url, { method: 'POST', path: '/api/v1/statuses', token: load.author, body })
    const beganUs = nowMicroseconds()
    const response = await publisher.send(request, { keepBody: true })
    answers.record(nowMicroseconds() - beganUs)
    const id = response.status === 200 ? idOf(response.body) : undefined
    if (id === undefined) {
      errors += 1
      continue
    }
    const missing = await look(load, connections, id)
    lost += missing
    if (missing === 0) everywhereMs.push((nowMicroseconds() - beganUs) / 1000)
  }
  const used = cpu()
  for (const connection of connections) connection.close()
  return { answers: answers.encode(), errors, everywhereMs, lost, cpu: used }
}

if (process.send) serveOrders(measure)
