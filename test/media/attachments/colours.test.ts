import assert from 'node:assert/strict'
import { test } from 'tap'
import { chooseColours } from '../../../src/media/attachments/colours.ts'
import { shrink } from '../../../src/media/attachments/size.ts'

type Colour = [number, number, number]

/** A square of one colour with another in its middle. */
const framed = (side: number, edge: Colour, middle: Colour): Colour[] =>
  Array.from({ length: side * side }, (_, index) => {
    const [x, y] = [index % side, Math.floor(index / side)]
    return Math.min(x, y, side - 1 - x, side - 1 - y) < 2 ? edge : middle
  })

test('the background has the colour of the edge, and the foreground is readable on it', async () => {
  assert.deepEqual(chooseColours(framed(16, [0, 0, 40], [250, 240, 10]), 16), {
    background: '#000028',
    foreground: '#faf00a',
    accent: '#faf00a',
  })
})

test('black or white is used when no colour of the picture has enough contrast', async () => {
  assert.deepEqual(chooseColours(framed(16, [250, 250, 250], [255, 255, 240]), 16), {
    background: '#fafafa',
    foreground: '#000000',
    accent: '#000000',
  })
  assert.equal(chooseColours(framed(8, [10, 10, 10], [10, 10, 10]), 8).foreground, '#ffffff')
})

test('sizes keep their proportions', async () => {
  assert.deepEqual(shrink({ width: 600, height: 400 }, 230_400), { width: 588, height: 392 })
  assert.deepEqual(shrink({ width: 100, height: 50 }, 230_400), { width: 100, height: 50 })
  assert.deepEqual(shrink({ width: 30_000, height: 10 }, 8_294_400), { width: 16_383, height: 5 })
  assert.deepEqual(shrink({ width: 40_000, height: 1 }, 230_400), { width: 16_383, height: 1 })
})
