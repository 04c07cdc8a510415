import assert from 'node:assert/strict'
import { test } from 'tap'
import { toApiError } from '../../../src/platform/database/failures.ts'
import { withConnectionRetry } from '../../../src/platform/database/retry.ts'
import { ApiError } from '../../../src/core/errors.ts'

const failing = (code: string): ApiError =>
  new ApiError('unavailable', { cause: Object.assign(new Error(code), { code }) })
const refused = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' })

/**
 * Plays the outcomes of the attempts in order, the last one repeatedly, and records the attempts.
 */
function script(outcomes: readonly unknown[]) {
  const tried: string[] = []
  const waited: number[] = []
  const attempt = (name: string) => (): Promise<unknown> => {
    const outcome = outcomes[Math.min(tried.push(name), outcomes.length) - 1]
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)
  }
  const pause = (ms: number): Promise<unknown> => Promise.resolve(waited.push(ms))
  return { tried, waited, done: () => withConnectionRetry(attempt('run'), attempt('reread'), pause) }
}

test('a statement that never reached the server is repeated', async () => {
  const { tried, waited, done } = script([failing('ECONNREFUSED'), failing('57P03'), 'rows'])
  assert.equal(await done(), 'rows')
  assert.deepEqual(
    [tried, waited],
    [
      ['run', 'run', 'run'],
      [20, 80],
    ],
  )
})

test('a statement that was never sent on a lost connection is repeated, writes too', async () => {
  const cause = new Error('Client has encountered a connection error and is not queryable')
  const { tried, done } = script([toApiError(cause), 'rows'])
  assert.equal(await done(), 'rows')
  assert.deepEqual(tried, ['run', 'run'])
})

test('an interrupted statement is repeated in a read-only transaction', async () => {
  const { tried, done } = script([failing('ECONNREFUSED'), failing('57P01'), failing('ECONNREFUSED'), 'rows'])
  assert.equal(await done(), 'rows')
  assert.deepEqual(tried, ['run', 'run', 'reread', 'reread'])
})

test('an interrupted write is not repeated: its failure is reported', async () => {
  const cut = failing('57P01')
  const { tried, done } = script([cut, refused])
  await assert.rejects(done(), error => error === cut)
  assert.deepEqual(tried, ['run', 'reread'])
})

test('retries end after seven seconds without a database', async () => {
  const { tried, waited, done } = script([failing('ECONNREFUSED')])
  await assert.rejects(done(), ApiError)
  assert.equal(tried.length, 9)
  assert.equal(
    waited.reduce((sum, ms) => sum + ms),
    7300,
  )
})

test('a failure of the statement itself is reported immediately', async () => {
  for (const error of [new ApiError('notFound'), new Error('a fault of ours'), failing('57014')]) {
    const { tried, done } = script([error])
    await assert.rejects(done(), thrown => thrown === error)
    assert.equal(tried.length, 1)
  }
})
