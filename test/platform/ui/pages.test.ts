import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../../src/app/operations.ts'
import { keyOf } from '../../conformance/contract.ts'
import { linkOf } from '../../support/client.ts'
import { CONTRACT } from './contract.ts'
import { LISTS } from './lists.ts'
import { disturb, firstPage, random, readPage, walk } from './walk.ts'
import { makeWorld } from './world.ts'

const served = new Set(operations.flatMap(one => [one.path].flat().map(path => keyOf('GET', path))))
const byIds = CONTRACT.filter(
  ({ path, prev }) => (prev === 'min_id' || prev === 'since_id') && served.has(keyOf('GET', path)),
)
const pathOf = (list: string): string => list.split(',')[0] ?? list
const walked = Object.entries(LISTS).flatMap(([list, make]) =>
  byIds.filter(({ path }) => path === pathOf(list)).map(paged => ({ ...paged, list, make })),
)
/** Its previous link has since_id, but it accepts min_id too. */
const TAKES_MIN_ID = '/api/v1/followed_tags'

/** Lists of moderators: the tests of their districts page them. */
const ELSEWHERE = /^\/api\/v[12]\/admin\//

const SEED = 20261121
const ROWS = 14
const LIMITS = [1, 2, 3, 5, 8]

test('every operation that pages by ids is in the contract and has a test list', async () => {
  // The limit of a page of HTML is that of its feed.
  const paging = operations.filter(
    one => 'limit' in one.params && 'max_id' in one.params && !('offset' in one.params) && one.page !== true,
  )
  const paths = paging.flatMap(one => [one.path].flat())
  const known = new Set(CONTRACT.map(({ path }) => keyOf('GET', path)))
  assert.deepEqual(
    paths.filter(path => !known.has(keyOf('GET', path))),
    [],
  )
  const made = new Set(Object.keys(LISTS).map(pathOf))
  assert.deepEqual(
    byIds.filter(({ path }) => !made.has(path) && !ELSEWHERE.test(path)).map(({ path }) => path),
    [],
  )
  assert.equal(walked.length, Object.keys(LISTS).length)
})

for (const { list, make, usual, most } of walked) {
  test(`${list} has pages of ${usual}, at most ${most}`, async t => {
    const rows = await make(await makeWorld(t), most + 3)
    const expected = rows.keys
    assert.deepEqual((await firstPage(rows)).keys, expected.slice(0, usual))
    assert.deepEqual((await firstPage(rows, most + 2)).keys, expected.slice(0, most))
    assert.deepEqual((await firstPage(rows, -3)).keys, expected.slice(0, 3))
  })
}

for (const { list, make, prev } of walked) {
  const upward = prev === 'min_id' || list === TAKES_MIN_ID
  test(`${list} misses and repeats no remaining row while rows are added and removed`, async t => {
    const world = await makeWorld(t)
    for (const [index, limit] of LIMITS.entries()) {
      const chance = random(SEED + index)
      const rows = await make(world, ROWS)
      const stay = new Set(rows.keys.filter(() => chance() < 0.5))
      const expected = rows.keys.filter(key => stay.has(key))
      const between = disturb(rows, stay, chance)
      const where = `pages of ${limit}, seed ${SEED + index}`
      const first = await firstPage(rows, limit)
      const down = await walk(rows, { from: linkOf(first.answer, 'next'), rel: 'next', between })
      const found = [...first.keys, ...down.keys].filter(key => stay.has(key))
      assert.deepEqual(found, expected, `down, ${where}`)
      const last = down.last ?? first.answer
      const lastKeys = rows.keysIn(last.json)
      const back = linkOf(last, 'prev')
      assert.ok(back, `no way back, ${where}`)
      if (upward) {
        const turn = (link: string): string => link.replace('since_id=', 'min_id=')
        const up = await walk(rows, { from: turn(back), rel: 'prev', turn, between })
        const above = [...up.keys, ...lastKeys].filter(key => stay.has(key))
        assert.deepEqual(above, expected, `up, ${where}`)
      } else {
        // since_id names the newest part of what is above, and nothing of the page itself.
        const { keys } = await readPage(rows, back)
        assert.ok(!keys.some(key => lastKeys.includes(key)), `back, ${where}`)
        const newest = (await firstPage(rows, limit)).keys
        assert.deepEqual(keys, newest.slice(0, keys.length), `back, ${where}`)
      }
    }
  })
}
