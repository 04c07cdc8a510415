import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { sqlFolder } from '../../../src/platform/database/migration_files.ts'
import { MAIL_JOBS } from '../../../src/administration/dashboard/checks.ts'
import { jobs } from '../../../src/app/jobs.ts'
import { backOffMs } from '../../../src/platform/jobs/index.ts'
import { sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'

/** What OPERATING.md promises. */
const MAIL_WAITS_MS = 36 * 3_600_000

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

const attemptsIn = (text: string): number => Number(/\battempts => (\d+)/.exec(text)?.[1] ?? 16)

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

test('e-mails, and all else that names no number of attempts, are tried for more than a day and a half', async () => {
  for (const name of MAIL_JOBS) {
    const attempts = jobs.find(job => job.name === name)?.attempts ?? 0
    const waits = Array.from({ length: Math.max(attempts - 1, 0) }, (_, index) => backOffMs(index + 1))
    const totalMs = waits.reduce((sum, ms) => sum + ms, 0)
    assert.ok(totalMs > MAIL_WAITS_MS, `${name}: ${totalMs} ms in ${attempts} attempts`)
  }
})

test('an upgrade gives the attempts to jobs that wait, and not to others', async () => {
  const server = await sharedServer()
  const add = `select (graphile_worker.add_job($1, max_attempts => $2, run_at => now() + interval '1 day')).id::text as id`
  const ids: unknown[] = []
  for (const [name, attempts] of [
    ['webhooks.deliver', 12],
    ['notification_mail.send', 6],
    ['email_subscriptions.confirm', 6],
    ['member_mailings.test', 3],
    ['push.send', 6],
    ['letters.notice', 12],
    ['statuses.notify', 16],
  ]) {
    ids.push((await sql(server, add, [name, attempts]))[0]?.['id'])
  }
  await sql(server, `update graphile_worker._private_jobs set attempts = max_attempts where id = $1`, [ids[5]])
  await sql(server, readFileSync(join(sqlFolder, 'migrations/0099_attempts_of_jobs.sql'), 'utf8'))
  const rows = await sql(
    server,
    `select max_attempts::integer as most from graphile_worker._private_jobs where id = any ($1::bigint[]) order by id`,
    [ids],
  )
  await sql(server, `select graphile_worker.complete_jobs($1::bigint[])`, [ids])
  assert.deepEqual(
    rows.map(({ most }) => most),
    [16, 16, 16, 16, 6, 12, 16],
  )
})
