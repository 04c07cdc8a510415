import assert from 'node:assert/strict'
import type { Person } from './people.ts'
import type { ResumingReader } from './resuming_reader.ts'

/** How long everything may be gone: a restarted server on a busy machine. */
const RECOVERY_MS = 120_000
const AGAIN_MS = 50

/**
 * Posts one status after the other, each until it is acknowledged, as a client with a queue does.
 */
export function keepPosting(author: Person) {
  const acknowledged: string[] = []
  const wrong: string[] = []
  const stopping = new AbortController()
  const abandoning = new AbortController()
  async function post(count: number): Promise<void> {
    const key = { 'idempotency-key': `${author.username}-${count}` }
    while (!abandoning.signal.aborted) {
      const body = { status: `number ${count} of ${author.username}` }
      const response = await author.post('/api/v1/statuses', body, key).catch(() => undefined)
      if (response?.status === 200) return void acknowledged.push((response.json as { id: string }).id)
      if (response && response.status !== 503) wrong.push(`${response.status} ${response.text}`)
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS))
    }
  }
  const done = (async (): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted && !abandoning.signal.aborted; count += 1) await post(count)
  })()
  return {
    acknowledged,
    wrong,
    stop: () => {
      stopping.abort()
      return done
    },
    /** Ends also when nobody can post: for a test that has failed. */
    abandon: () => abandoning.abort(),
  }
}

/** Waits until each writer has posted twice more; returns the milliseconds. */
export async function untilAllPosted(
  writers: readonly { acknowledged: readonly string[] }[],
  what: string,
): Promise<number> {
  const before = writers.map(({ acknowledged }) => acknowledged.length)
  const began = performance.now()
  while (writers.some(({ acknowledged }, index) => acknowledged.length < (before[index] ?? 0) + 2)) {
    assert.ok(performance.now() - began < RECOVERY_MS, `nobody can post after ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return performance.now() - began
}

/** Every acknowledged status came to a reader once, and those of one author in order. */
export async function assertComplete(
  reader: ResumingReader,
  last: string,
  writers: ReturnType<typeof keepPosting>[],
  others: readonly string[] = [],
) {
  const messages = await reader.inbox.takeUntil('the last', ({ payload }) => payload.includes(`"id":"${last}"`))
  const came = messages
    .filter(({ event }) => event === 'update')
    .map(({ payload }) => (JSON.parse(payload) as { id: string }).id)
  const where = reader.wanted.transport
  assert.equal(new Set(came).size, came.length, `${where}: a status came twice`)
  assert.deepEqual(
    new Set(came),
    new Set([...writers.flatMap(({ acknowledged }) => acknowledged), last, ...others]),
    where,
  )
  for (const { acknowledged } of writers) {
    const own = new Set(acknowledged)
    assert.deepEqual(
      came.filter(id => own.has(id)),
      acknowledged,
      `${where}: out of order`,
    )
  }
}
