import assert from 'node:assert/strict'
import { test } from 'tap'
import { humanSize } from '../../src/core/human_size.ts'

test('sizes have at most three digits, and the next unit from 1024 on', async () => {
  const sizes = [0, 1, 1023, 1024, 1536, 1_234_567, 1_048_575, 1_072_693_248, 1_610_612_736, 5e15]
  assert.deepEqual(sizes.map(humanSize), [
    '0 Bytes',
    '1 Byte',
    '1023 Bytes',
    '1 KB',
    '1.5 KB',
    '1.18 MB',
    '1 MB',
    '1023 MB',
    '1.5 GB',
    '4.44 PB',
  ])
})
