import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { sql, waitForEventLog } from '../support/people.ts'
import { createCast, PEOPLE, postReply, VIEWERS, VISIBILITIES, type Cast, type Visibility } from './cast.ts'
import { STATUS_READS, LIST_READS, type ReadContext, type Read } from './reads.ts'
import { isExpected, type AuthorState } from './rules.ts'

interface Said {
  readonly root: string
  readonly tag: string
  readonly statuses: Readonly<Record<Visibility, string>>
}

/**
 * The author posts one status of each visibility; everybody once favourited and bookmarked all of
 * them.
 */
async function sayAll(cast: Cast): Promise<Said> {
  const tag = `tag${randomBytes(4).toString('hex')}`
  const { id: root } = await cast.author.postStatus('beginning')
  const statuses: Record<Visibility, string> = { public: '', unlisted: '', private: '', direct: '' }
  for (const visibility of VISIBILITIES) statuses[visibility] = await postReply(cast, visibility, root, tag)
  const everybody = PEOPLE.map(name => cast[name].id)
  for (const table of ['favourites', 'bookmarks']) {
    await sql(
      cast.server,
      `insert into ${table} (account_id, status_id) select a, s from unnest($1::bigint[]) a, unnest($2::bigint[]) s`,
      [everybody, Object.values(statuses)],
    )
  }
  return { root, tag, statuses }
}

/** Whether the response contains the status anywhere. */
async function isFound(read: Read, asked: ReadContext, alone: boolean): Promise<boolean | undefined> {
  const response = await read.ask(asked)
  if (!response) return undefined
  assert.ok(response.status < 500, `${response.status} ${response.text}`)
  if (alone) return response.status === 200
  return response.status === 200 && response.text.includes(`"id":"${asked.status}"`)
}

/** Performs every read by every viewer of every visibility; returns the differences. */
async function readAll(cast: Cast, { root, tag, statuses }: Said, fate: AuthorState): Promise<string[]> {
  const faults: string[] = []
  const reads = [
    ...Object.entries(STATUS_READS).map(([name, read]) => ({ name, read, alone: true })),
    ...Object.entries(LIST_READS).map(([name, read]) => ({ name, read, alone: false })),
  ]
  for (const visibility of VISIBILITIES) {
    for (const viewer of VIEWERS) {
      const asked = { cast, viewer, client: cast.viewers[viewer], status: statuses[visibility], root, tag }
      const found = await Promise.all(reads.map(({ read, alone }) => isFound(read, asked, alone)))
      for (const [index, { name, read }] of reads.entries()) {
        const expected = isExpected(read.place, visibility, viewer, fate)
        const is = found[index] ?? false
        if (is === expected || (read.atMost && expected)) continue
        faults.push(
          `${visibility} by an author who is ${fate}, ${name}: ${viewer} ${is ? 'sees it' : 'does not see it'}`,
        )
      }
    }
  }
  return faults
}

test('every read shows a status only to viewers who may see it', async t => {
  const cast = await createCast(t)
  assert.deepEqual(await readAll(cast, await sayAll(cast), 'fine'), [])
})

const FATES: Readonly<Record<Exclude<AuthorState, 'fine'>, string>> = {
  suspended: `with gone as (update accounts set suspended_at = now() where id = $1 returning id)
    insert into events (kind, account_id, data) select 'account.changed', gone.id, '{"change": "suspended"}' from gone`,
  unconfirmed: `with gone as (update users set confirmed_at = null where account_id = $1 returning account_id)
    insert into events (kind, account_id, data) select 'user.changed', gone.account_id, '{"change": "confirmed"}' from gone`,
}

for (const [fate, statement] of Object.entries(FATES)) {
  test(`no read shows a status of an author who is ${fate}`, async t => {
    const cast = await createCast(t)
    const said = await sayAll(cast)
    // Cached by the earlier reads.
    assert.deepEqual(await readAll(cast, said, 'fine'), [])
    await sql(cast.server, statement, [cast.author.id])
    await waitForEventLog(cast.helper)
    assert.deepEqual(await readAll(cast, said, fate as AuthorState), [])
  })
}
