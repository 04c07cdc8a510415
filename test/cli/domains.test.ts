import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

const TYPED = 'Bücher.Example'
const STORED = 'xn--bcher-kva.example'

test('international domains are found as they are stored, and what is no domain is refused', async t => {
  const ctl = await createCommandLine(t)
  await ctl.sql(
    `insert into accounts (username, domain, uri, inbox_url, public_key, fetched_at)
     select name, '${STORED}', 'https://${STORED}/' || name, 'https://${STORED}/inbox', 'key', now() - interval '30 days'
     from unnest(array['old', 'new']) name`,
  )
  await ctl.ok('domains', 'block', TYPED)
  await ctl.ok('domains', 'change', TYPED, '--severity', 'noop')
  assert.match(await ctl.ok('domains', 'list'), new RegExp(`^${STORED} +noop`, 'm'))
  const refreshed = await ctl.ok('accounts', 'refresh', '--domain', TYPED, '--dry-run')
  assert.match(refreshed, /^Refreshed 2 accounts/)
  assert.equal(await ctl.ok('accounts', 'refresh', `old@${TYPED}`, '--dry-run'), 'OK (DRY RUN)\n')
  assert.match(await ctl.ok('accounts', 'cull', TYPED, '--dry-run'), new RegExp(`^    ${STORED}$`, 'm'))
  assert.equal(await ctl.ok('accounts', 'merge', `old@${TYPED}`, `new@${TYPED}`), 'OK\n')
  const purged = await ctl.ok('domains', 'purge', TYPED, '--purge-domain-blocks')
  assert.match(purged, /^Removed 1 accounts\nRemoved 1 domain blocks\n/)
  for (const given of [
    ['domains', 'purge', 'no domain'],
    ['domains', 'purge', 'https://far.example/'],
    ['domains', 'change', ''],
    ['domains', 'crawl', 'no domain'],
    ['accounts', 'cull', 'far.example', 'a@far.example'],
    ['accounts', 'refresh', '--domain', 'far/example'],
    ['media', 'refresh', '--domain', 'far example'],
    ['deliveries', 'retry', 'far example'],
    ['deliveries', 'purge', 'far example'],
  ]) {
    const { code, out, err } = await ctl.run(...given)
    assert.deepEqual([code, out, err], [1, '', `${given.at(-1)} is not a valid domain name\n`], given.join(' '))
  }
})
