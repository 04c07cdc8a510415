import assert from 'node:assert/strict'
import { test } from 'tap'
import { CompactIdSet } from '../../src/statuses/compact_id_set.ts'

/** Realistic ids: milliseconds, and a number within each. */
const idsFrom = (ms: bigint, amount: number): string[] =>
  Array.from({ length: amount }, (_, index) => String(((ms + BigInt(index)) << 16n) | BigInt(index % 7)))

test('all added ids may be members, and hardly any others', async () => {
  for (const amount of [0, 1, 2, 3, 255, 256, 400]) {
    const given = idsFrom(1_790_000_000_000n, amount)
    const hashes = new CompactIdSet(given)
    assert.equal(
      given.find(id => !hashes.mayHave(id)),
      undefined,
    )
    const others = idsFrom(1_790_000_001_000n, 20_000)
    assert.ok(others.filter(id => hashes.mayHave(id)).length <= 1)
    assert.ok(hashes.sizeBytes <= 16 * amount + 8)
  }
})
