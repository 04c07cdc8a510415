import assert from 'node:assert/strict'
import { test } from 'tap'
import { decideForwarding } from '../../../src/moderation/reports/forward.ts'

test('nothing of a local account is forwarded, whatever is asked', async () => {
  assert.deepEqual(decideForwarding(null, ['a.example'], true, ['a.example']), { forwarded: false, domains: [] })
})

test('without a word it stays open, and a no is a no', async () => {
  assert.deepEqual(decideForwarding('a.example', [], undefined, ['a.example']), { forwarded: null, domains: [] })
  assert.deepEqual(decideForwarding('a.example', [], false, ['a.example']), { forwarded: false, domains: [] })
})

test('each server gets one copy, in any spelling of its name, and none that has no part in it', async () => {
  const chosen = ['BÜCHER.example', 'xn--bcher-kva.example', 'other.example']
  assert.deepEqual(decideForwarding('xn--bcher-kva.example', ['xn--bcher-kva.example'], true, chosen), {
    forwarded: true,
    domains: ['xn--bcher-kva.example'],
  })
})
