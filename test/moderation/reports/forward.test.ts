import assert from 'node:assert/strict'
import { test } from 'tap'
import { decideForwarding } from '../../../src/moderation/reports/forward.ts'

test('a report about a local account is never forwarded', async () => {
  assert.deepEqual(decideForwarding(null, ['a.example'], true, ['a.example']), { forwarded: false, domains: [] })
})

test('without a choice the forwarding is undecided, and false means no', async () => {
  assert.deepEqual(decideForwarding('a.example', [], undefined, ['a.example']), { forwarded: null, domains: [] })
  assert.deepEqual(decideForwarding('a.example', [], false, ['a.example']), { forwarded: false, domains: [] })
})

test('a report goes once to each involved server, in any spelling of the domain', async () => {
  const chosen = ['BÜCHER.example', 'xn--bcher-kva.example', 'other.example']
  assert.deepEqual(decideForwarding('xn--bcher-kva.example', ['xn--bcher-kva.example'], true, chosen), {
    forwarded: true,
    domains: ['xn--bcher-kva.example'],
  })
})
