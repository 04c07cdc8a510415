import assert from 'node:assert/strict'
import { test } from 'tap'
import { toApiError } from '../../../src/platform/database/failures.ts'
import { withConnectionRetry } from '../../../src/platform/database/retry.ts'
import { ApiError } from '../../../src/core/errors.ts'

const failing = (code: string): ApiError =>
  new ApiError('unavailable', { cause: Object.assign(new Error(code), { code }) })
const refused = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' })

/** Takes what each try comes to, in order; the last counts for all that follow. Keeps what was tried. */
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

test('what never reached the server is run again', async () => {
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

test('what was never handed to a connection that had gone is run again, writes too', async () => {
  const cause = new Error('Client has encountered a connection error and is not queryable')
  const { tried, done } = script([toApiError(cause), 'rows'])
  assert.equal(await done(), 'rows')
  assert.deepEqual(tried, ['run', 'run'])
})

test('what was cut off is repeated where nothing can be written', async () => {
  const { tried, done } = script([failing('ECONNREFUSED'), failing('57P01'), failing('ECONNREFUSED'), 'rows'])
  assert.equal(await done(), 'rows')
  assert.deepEqual(tried, ['run', 'run', 'reread', 'reread'])
})

test('a write that was cut off is not repeated: its failure is told', async () => {
  const cut = failing('57P01')
  const { tried, done } = script([cut, refused])
  await assert.rejects(done(), error => error === cut)
  assert.deepEqual(tried, ['run', 'reread'])
})

test('a database that stays away is given up on after seven seconds', async () => {
  const { tried, waited, done } = script([failing('ECONNREFUSED')])
  await assert.rejects(done(), ApiError)
  assert.equal(tried.length, 9)
  assert.equal(
    waited.reduce((sum, ms) => sum + ms),
    7300,
  )
})

test('a failure of the statement itself is told at once', async () => {
  for (const error of [new ApiError('notFound'), new Error('a fault of ours'), failing('57014')]) {
    const { tried, done } = script([error])
    await assert.rejects(done(), told => told === error)
    assert.equal(tried.length, 1)
  }
})
