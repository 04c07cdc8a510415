import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { sqlFolder } from '../../../src/platform/database/migration_files.ts'
import { jobs } from '../../../src/app/jobs.ts'

/** The text up to the parenthesis that closes the one before it. */
function argumentsIn(text: string): string {
  let depth = 1
  for (const [index, character] of text.split('').entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (depth === 0) return text.slice(0, index)
  }
  return text
}

const attemptsIn = (text: string): number => Number(/\battempts => (\d+)/.exec(text)?.[1] ?? 12)

/** The priorities that the call may give: one number, or those of a `case`. */
function prioritiesIn(text: string): number[] {
  const given = /\bpriority => ([^,\n]+)/.exec(text)?.[1] ?? '0'
  const [plain] = /^-?\d+/.exec(given) ?? []
  const numbers = plain === undefined ? [...given.matchAll(/\b(?:then|else) (-?\d+)/g)].map(([, one]) => one) : [plain]
  return numbers.map(Number)
}

test('jobs that SQL enqueues are declared, with the same attempts, and not before their priority', async () => {
  const files = ['functions', 'queries'].flatMap(folder =>
    readdirSync(join(sqlFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.sql'))
      .map(name => ({ name, text: readFileSync(join(sqlFolder, folder, name), 'utf8') })),
  )
  const others = files.filter(({ name, text }) => name !== 'enqueue.sql' && text.includes('graphile_worker.add_job('))
  assert.deepEqual(
    others.map(({ name }) => name),
    [],
    'only enqueue() adds jobs',
  )
  const enqueued = files.flatMap(({ text }) =>
    [...text.matchAll(/\benqueue\(\s*'([^']+)'/g)].map(found => {
      const given = argumentsIn(text.slice(found.index + 'enqueue('.length))
      return { name: found[1], attempts: attemptsIn(given), priorities: prioritiesIn(given) }
    }),
  )
  assert.ok(enqueued.length >= 8, 'the search finds them')
  for (const job of enqueued) {
    const declared = jobs.find(({ name }) => name === job.name)
    assert.equal(job.attempts, declared?.attempts, job.name)
    // A higher number runs later.
    const { priority = 0 } = declared ?? {}
    assert.ok(job.priorities.length > 0 && job.priorities.every(one => one >= priority), `${job.name}: ${priority}`)
  }
})
