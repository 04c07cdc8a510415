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

const numberIn = (text: string, name: string, absent: number): number =>
  Number(new RegExp(`\\b${name} => (-?\\d+)`).exec(text)?.[1] ?? absent)

test('jobs that SQL enqueues are declared, with the same attempts and priority', async () => {
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
      return { name: found[1], attempts: numberIn(given, 'attempts', 12), priority: numberIn(given, 'priority', 0) }
    }),
  )
  assert.ok(enqueued.length >= 8, 'the search finds them')
  for (const job of enqueued) {
    const declared = jobs.find(({ name }) => name === job.name)
    assert.deepEqual(job, declared && { name: declared.name, attempts: declared.attempts, priority: declared.priority })
  }
})
