import assert from 'node:assert/strict'
import { test } from 'tap'
import { startPeer } from '../support/federation/peer.ts'
import { signedIn } from '../support/signed_in.ts'

test('the page for interactions from elsewhere looks up accounts that are not known yet', async t => {
  const { browser } = await signedIn(t, 'alice')
  const peer = await startPeer(t)
  for (const [name, prefix] of [
    ['bob', 'acct:'],
    ['carol', ''],
  ] as const) {
    const { acct } = peer.actor(name)
    const uri = `${prefix}${acct}`
    const page = await browser.get(`/authorize_interaction?${new URLSearchParams({ uri }).toString()}`)
    assert.deepEqual([page.status, page.location], [302, `/@${acct}`], uri)
  }
})
