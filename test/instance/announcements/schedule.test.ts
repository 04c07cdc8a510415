import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForEvent } from '../../accounts/waiting.ts'
import { createCommandLine } from '../../cli/command.ts'
import { createTestDatabase } from '../../support/database.ts'
import { people, person, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

const textsOf = async (someone: Person): Promise<string[]> =>
  ((await someone.get('/api/v1/announcements')).json as { content: string }[]).map(({ content }) => content)

const idIn = (out: string): string => /^OK, announcement (\d+)\n$/.exec(out)?.[1] ?? ''

/** Moves the time of an announcement to now, and runs its job. */
const publishNow = (ctl: Awaited<ReturnType<typeof createCommandLine>>, id: string): Promise<unknown> =>
  ctl.sql(
    `with due as (update announcements set scheduled_at = now() where id = ${id} returning id)
     select graphile_worker.add_job('announcements.publish', '{}', job_key => 'announcements.publish:' || id) from due`,
  )

test('a scheduled announcement is published at its time, streamed, and can be edited', async t => {
  const { alice, server } = await people(t, 'alice')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const stream = await alice.stream('user')
  const planned = new Date(Date.now() + 3_600_000)
  const id = idIn(await ctl.ok('announcements', 'create', 'In a moment', '--publish-at', planned.toISOString()))
  assert.deepEqual(await textsOf(alice), [])
  assert.match(
    await ctl.ok('announcements', 'list'),
    new RegExp(`^${id} +at ${planned.toISOString().slice(0, 10)}`, 'm'),
  )
  const at = new Date()
  await publishNow(ctl, id)
  const streamed = (await stream.next('announcement')).payload as { id: string; content: string; published_at: string }
  assert.deepEqual([streamed.id, streamed.content], [id, '<p>In a moment</p>'])
  assert.ok(
    Date.parse(streamed.published_at) >= at.getTime() && Date.parse(streamed.published_at) < at.getTime() + 30_000,
  )
  assert.deepEqual(await textsOf(alice), ['<p>In a moment</p>'])
  await ctl.ok('announcements', 'edit', id, 'Now')
  assert.equal(((await stream.next('announcement')).payload as { content: string }).content, '<p>Now</p>')
  assert.deepEqual(await textsOf(alice), ['<p>Now</p>'])
  await ctl.ok('announcements', 'unpublish', id)
  assert.equal((await stream.next('announcement.delete')).payload, id)
  assert.deepEqual(await textsOf(alice), [])
})

test('an announcement whose time passed while no server ran is published at the start', async t => {
  const database = await createTestDatabase(t)
  const ctl = await createCommandLine(t, database.url)
  const publishAt = ['--publish-at', '2100-01-01']
  const id = idIn(await ctl.ok('announcements', 'create', 'Missed', ...publishAt))
  const later = idIn(await ctl.ok('announcements', 'create', 'Later', ...publishAt))
  const withdrawn = idIn(await ctl.ok('announcements', 'create', 'Withdrawn', ...publishAt))
  const over = idIn(await ctl.ok('announcements', 'create', 'Over', ...publishAt))
  await ctl.sql(
    `update announcements set scheduled_at = now() - interval '1 minute' where id in (${id}, ${withdrawn}, ${over})`,
  )
  await ctl.sql(`update announcements set starts_at = '2001-01-01', ends_at = '2001-01-02' where id = ${over}`)
  await ctl.ok('announcements', 'unpublish', withdrawn)
  await ctl.sql(
    `select graphile_worker.add_job('announcements.publish', '{}', run_at => now() - interval '1 minute',
       job_key => 'announcements.publish:${id}')`,
  )
  const server = await startServer(t, { databaseUrl: database.url })
  await waitForEvent(server, `e.kind = 'announcement.published' and e.object_id = $1`, [id])
  const alice = await person(server, 'alice')
  assert.deepEqual(await textsOf(alice), ['<p>Missed</p>'])
  const [left] = await ctl.sql(`select published, scheduled_at from announcements where id = ${later}`)
  assert.deepEqual(left, { published: false, scheduled_at: new Date('2100-01-01') })
})
