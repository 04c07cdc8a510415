import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { becomes, openPair } from '../../platform/settings/pair.ts'
import { Client } from '../../support/client.ts'
import { connect, waitsForLock } from '../../support/other_transaction.ts'
import { sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { auditLog, checkCallers, checkPages, entitiesOf, entityOf, refuses, staff } from '../admin_api.ts'

const BLOCKS = '/api/v1/admin/domain_blocks'
const ALLOWS = '/api/v1/admin/domain_allows'

/** Inserts a remote account; returns its id. */
async function stranger(server: ServerAddress, username: string, domain: string): Promise<string> {
  const [made] = await sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri) values ($1, $2, 'https://' || $2 || '/u/' || $1) returning id
     ), c as (insert into account_stats (account_id) select a.id from a)
     select a.id::text from a`,
    [username, domain],
  )
  return String(made?.['id'])
}

/** The states of an account: limited, suspended. */
const stateOf = async (server: ServerAddress, id: string): Promise<unknown[]> => {
  const [row] = await sql(
    server,
    'select silenced_at is not null as silenced, suspended_at is not null as suspended from accounts where id = $1',
    [id],
  )
  return Object.values(row ?? {})
}

test('the lists contain every rule with its full name, and are empty without rules', async t => {
  const { admin } = await staff(t)
  for (const path of [BLOCKS, ALLOWS]) assert.deepEqual(entitiesOf(await admin.get(path)), [])
  const made: unknown[] = []
  for (const severity of ['noop', 'silence', 'suspend'])
    made.unshift(entityOf(await admin.post(BLOCKS, { domain: `${severity}.list.example`, severity, obfuscate: true })))
  const listed = entitiesOf(await admin.get(BLOCKS))
  assert.deepEqual(listed, made)
  assert.deepEqual(
    listed.map(one => one['domain']),
    ['suspend.list.example', 'silence.list.example', 'noop.list.example'],
  )
  const allowed = entityOf(await admin.post(ALLOWS, { domain: 'list.example' }))
  assert.deepEqual(entitiesOf(await admin.get(ALLOWS)), [
    { id: allowed.id, domain: 'list.example', created_at: allowed['created_at'] },
  ])
  for (const { id } of listed) await admin.delete(`${BLOCKS}/${id}`)
  await admin.delete(`${ALLOWS}/${allowed.id}`)
})

test('a rule of a parent domain is stricter by its severity or, if equal, by what it rejects', async t => {
  const { admin } = await staff(t)
  const both = { reject_media: true, reject_reports: true }
  const media = { reject_media: true }
  for (const [above, below, isStricter] of [
    [{ severity: 'suspend' }, { severity: 'silence', ...both }, true],
    [{ severity: 'suspend' }, { severity: 'noop', ...both }, true],
    [{ severity: 'silence', ...both }, { severity: 'suspend' }, false],
    [{ severity: 'noop', ...both }, { severity: 'silence' }, false],
    [{ severity: 'noop', ...both }, { severity: 'suspend' }, false],
    [{ severity: 'silence' }, { severity: 'silence' }, true],
    [{ severity: 'silence', ...media }, { severity: 'silence', ...both }, false],
    [{ severity: 'silence', ...both }, { severity: 'silence', ...media }, true],
    [{ severity: 'noop', ...media }, { severity: 'noop', reject_reports: true }, false],
    [{ severity: 'noop', ...both }, { severity: 'noop', ...both }, true],
  ] as const) {
    const parent = entityOf(await admin.post(BLOCKS, { domain: 'strict.example', ...above }))
    const child = await admin.post(BLOCKS, { domain: 'sub.strict.example', ...below })
    assert.equal(child.status, isStricter ? 422 : 200, JSON.stringify([above, below]))
    if (!isStricter) await admin.delete(`${BLOCKS}/${entityOf(child).id}`)
    await admin.delete(`${BLOCKS}/${parent.id}`)
  }
})

test('a rule limits the accounts of its domain, follows its severity, and releases them again', async t => {
  const { server, admin } = await staff(t)
  const [below, byHand] = [
    await stranger(server, 'one', 'sub.loud.example'),
    await stranger(server, 'two', 'loud.example'),
  ]
  await sql(server, `update accounts set silenced_at = '2020-01-01' where id = $1`, [byHand])
  const made = entityOf(await admin.post(BLOCKS, { domain: 'LOUD.example', private_comment: 'why', obfuscate: true }))
  const { id, created_at: created, ...rest } = made
  assert.match(String(created), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(rest, {
    domain: 'loud.example',
    digest: createHash('sha256').update('loud.example').digest('hex'),
    severity: 'silence',
    reject_media: false,
    reject_reports: false,
    private_comment: 'why',
    public_comment: null,
    obfuscate: true,
  })
  assert.deepEqual(entityOf(await admin.get(`${BLOCKS}/${id}`)), made)
  await becomes(() => stateOf(server, below), [true, false], 'limited')
  const change = { severity: 'suspend', public_comment: 'loud', domain: 'other.example' }
  const changed = entityOf(await admin.put(`${BLOCKS}/${id}`, change))
  assert.deepEqual(changed, { ...made, severity: 'suspend', public_comment: 'loud' })
  await becomes(() => stateOf(server, below), [false, true], 'suspended')
  assert.deepEqual(entityOf(await admin.patch(`${BLOCKS}/${id}`, { reject_reports: true, obfuscate: false })), {
    ...changed,
    reject_reports: true,
    obfuscate: false,
  })
  refuses(
    await admin.put(`${BLOCKS}/${id}`, { severity: 'harsh' }),
    422,
    'Validation failed: Severity is not included in the list',
  )
  const gone = await admin.delete(`${BLOCKS}/${id}`)
  assert.deepEqual([gone.status, gone.text], [200, '{}'])
  await becomes(() => stateOf(server, below), [false, false], 'released')
  // What a moderator did to one account stays.
  await becomes(() => stateOf(server, byHand), [true, false], 'limited by a moderator')
  refuses(await admin.get(`${BLOCKS}/${id}`), 404, 'Record not found')
  const ofThisRule = (await auditLog(server, 'DomainBlock')).filter(entry => entry.endsWith(' loud.example'))
  assert.deepEqual(ofThisRule, [
    `${admin.id} create loud.example`,
    `${admin.id} update loud.example`,
    `${admin.id} update loud.example`,
    `${admin.id} destroy loud.example`,
  ])
})

test('media that a changed rule rejects are removed', async t => {
  const { server, admin } = await staff(t)
  const account = await stranger(server, 'three', 'blur.example')
  await sql(server, `update accounts set avatar = '{"key": "a.png", "static_key": "a.png"}' where id = $1`, [account])
  const { id } = entityOf(await admin.post(BLOCKS, { domain: 'blur.example', severity: 'noop' }))
  entityOf(await admin.put(`${BLOCKS}/${id}`, { reject_media: true }))
  await becomes(
    () => sql(server, 'select avatar from accounts where id = $1', [account]),
    [{ avatar: null }],
    'no picture',
  )
  await admin.delete(`${BLOCKS}/${id}`)
})

test('of two partial changes of a rule at once none is lost', async t => {
  const { server, admin } = await staff(t)
  const { id } = entityOf(await admin.post(BLOCKS, { domain: 'both.example', severity: 'noop', obfuscate: true }))
  const other = await connect(t, server)
  await other.query('begin')
  await other.query("update domain_blocks set severity = 'silence', private_comment = 'early' where id = $1", [id])
  const late = admin.put(`${BLOCKS}/${id}`, { public_comment: 'late' })
  await waitsForLock(server, 'update')
  await other.query('commit')
  const changed = entityOf(await late)
  const { severity, private_comment, public_comment, obfuscate } = changed
  assert.deepEqual(
    { severity, private_comment, public_comment, obfuscate },
    { severity: 'silence', private_comment: 'early', public_comment: 'late', obfuscate: true },
  )
  assert.deepEqual(entityOf(await admin.get(`${BLOCKS}/${id}`)), changed)
  await admin.delete(`${BLOCKS}/${id}`)
})

test('a rule that is sent again as it is changes nothing', async t => {
  const { server, admin } = await staff(t)
  const rule = { severity: 'silence', public_comment: 'spam', obfuscate: true }
  const { id } = entityOf(await admin.post(BLOCKS, { domain: 'again.example', ...rule }))
  const events = (): Promise<unknown[]> =>
    sql(server, `select from events where kind in ('instance.changed', 'action.logged') and object_id = $1`, [id])
  const [before, logged] = [entityOf(await admin.get(`${BLOCKS}/${id}`)), await events()]
  assert.deepEqual(entityOf(await admin.put(`${BLOCKS}/${id}`, rule)), before)
  assert.equal((await events()).length, logged.length)
  assert.equal(entityOf(await admin.put(`${BLOCKS}/${id}`, { ...rule, obfuscate: false }))['obfuscate'], false)
  assert.equal((await events()).length, logged.length + 2)
  const entries = (await auditLog(server, 'DomainBlock')).filter(entry => entry.endsWith('again.example'))
  assert.deepEqual(
    entries.map(entry => entry.split(' ')[1]),
    ['create', 'update'],
  )
  await admin.delete(`${BLOCKS}/${id}`)
})

test('a rule that an existing one makes redundant is refused with that one', async t => {
  const { admin } = await staff(t)
  const strict = entityOf(await admin.post(BLOCKS, { domain: 'bar.example', severity: 'suspend' }))
  const loose = entityOf(await admin.post(BLOCKS, { domain: 'loose.example', severity: 'silence' }))
  for (const [body, existing] of [
    [{ domain: 'bar.example', severity: 'suspend' }, strict],
    [{ domain: 'foo.bar.example', severity: 'silence' }, strict],
    [{ domain: 'loose.example', severity: 'suspend' }, loose],
    [{ domain: 'a.loose.example', severity: 'noop' }, loose],
  ] as const) {
    const response = await admin.post(BLOCKS, body)
    assert.equal(response.status, 422)
    assert.deepEqual(response.json, {
      error: `You have already imposed stricter limits on ${String(existing['domain'])}.`,
      existing_domain_block: existing,
    })
  }
  const below = entityOf(await admin.post(BLOCKS, { domain: 'b.loose.example', severity: 'suspend' }))
  for (const [body, error] of [
    [{}, "Validation failed: Domain can't be blank"],
    [{ domain: ' ' }, "Validation failed: Domain can't be blank"],
    [{ domain: 'foo bar' }, 'Validation failed: Domain is not a valid domain name'],
    [{ domain: 'x.example', severity: 'harsh' }, 'Validation failed: Severity is not included in the list'],
  ] as const) {
    refuses(await admin.post(BLOCKS, body), 422, error)
  }
  for (const { id } of [strict, loose, below]) await admin.delete(`${BLOCKS}/${id}`)
})

test('domains are allowed once, and disallowed', async t => {
  const { server, admin } = await staff(t)
  const made = entityOf(await admin.post(ALLOWS, { domain: 'Foo.Bar.example' }))
  assert.deepEqual(made, { id: made.id, domain: 'foo.bar.example', created_at: made['created_at'] })
  assert.deepEqual(entityOf(await admin.post(ALLOWS, { domain: 'foo.bar.example' })), made)
  assert.deepEqual(entityOf(await admin.get(`${ALLOWS}/${made.id}`)), made)
  for (const body of [{}, { domain: '' }])
    refuses(await admin.post(ALLOWS, body), 422, "Validation failed: Domain can't be blank")
  refuses(await admin.post(ALLOWS, { domain: 'foo bar' }), 422, 'Validation failed: Domain is not a valid domain name')
  const account = await stranger(server, 'four', 'foo.bar.example')
  assert.deepEqual((await admin.delete(`${ALLOWS}/${made.id}`)).text, '{}')
  refuses(await admin.get(`${ALLOWS}/${made.id}`), 404, 'Record not found')
  // Only limited federation mode removes the accounts.
  assert.deepEqual(await stateOf(server, account), [false, false])
  const ofThisDomain = (await auditLog(server, 'DomainAllow')).filter(entry => entry.endsWith(' foo.bar.example'))
  assert.deepEqual(ofThisDomain, [`${admin.id} create foo.bar.example`, `${admin.id} destroy foo.bar.example`])
})

test('in limited federation mode the accounts of a domain that is no longer allowed are removed', async t => {
  const { servers, ctl, person } = await openPair(t)
  const [server] = servers
  const admin = await person('admin', { roleId: 2 })
  const { id } = entityOf(await admin.post(ALLOWS, { domain: 'friend.example' }))
  const account = await stranger(server, 'five', 'friend.example')
  await ctl('settings', 'set', 'limited_federation_mode', 'true')
  const anonymous = new Client(server)
  await becomes(async () => (await anonymous.get('/api/v1/custom_emojis')).status, 401, 'limited')
  await admin.delete(`${ALLOWS}/${id}`)
  await becomes(
    () => sql(server, 'select id from accounts where id = $1 and suspended_at is null', [account]),
    [],
    'no such account',
  )
})

test('only roles that manage federation, with the scopes, may call these operations', async t => {
  const everyone = await staff(t)
  const { admin } = everyone
  const block = entityOf(await admin.post(BLOCKS, { domain: 'callers.example' }))
  await checkCallers(everyone, ':domain_blocks', [
    { method: 'GET', path: BLOCKS },
    { method: 'POST', path: BLOCKS, body: { domain: 'a.example' } },
    { method: 'GET', path: `${BLOCKS}/${block.id}` },
    { method: 'PUT', path: `${BLOCKS}/${block.id}` },
    { method: 'DELETE', path: `${BLOCKS}/${block.id}` },
  ])
  const allow = entityOf(await admin.post(ALLOWS, { domain: 'callers.example' }))
  await checkCallers(everyone, ':domain_allows', [
    { method: 'GET', path: ALLOWS },
    { method: 'POST', path: ALLOWS },
    { method: 'GET', path: `${ALLOWS}/${allow.id}` },
    { method: 'DELETE', path: `${ALLOWS}/${allow.id}` },
  ])
})

test('the lists have pages', async t => {
  const { admin } = await staff(t)
  for (const name of ['a', 'b', 'c']) {
    entityOf(await admin.post(BLOCKS, { domain: `${name}.pages.example` }))
    entityOf(await admin.post(ALLOWS, { domain: `${name}.pages.example` }))
  }
  await checkPages(admin, BLOCKS, 500)
  await checkPages(admin, ALLOWS, 500)
})
