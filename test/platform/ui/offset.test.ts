import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../../src/app/operations.ts'
import { linkOf, type ClientResponse } from '../../support/client.ts'
import { CONTRACT } from './contract.ts'
import { OFFSET_LISTS, type Placed } from './offset_lists.ts'
import { makeWorld } from './world.ts'

const pathOf = (list: string): string => list.split(',')[0] ?? list
const walked = Object.entries(OFFSET_LISTS).flatMap(([list, make]) =>
  CONTRACT.filter(({ path }) => path === pathOf(list)).map(paged => ({ ...paged, list, make })),
)
/**
 * Lists of moderators, and suggestions, which have no end: the tests of their districts page them.
 */
const ELSEWHERE = /^\/api\/v[12]\/(?:admin\/|suggestions$)/

test('every operation that pages by offset is in the contract and has a test list', async () => {
  const paths = operations
    .filter(one => 'limit' in one.params && 'offset' in one.params)
    .flatMap(one => [one.path].flat())
    .filter(path => !ELSEWHERE.test(path))
  const made = new Set(walked.map(({ path }) => path))
  assert.deepEqual(
    paths.filter(path => !made.has(path)),
    [],
  )
  assert.equal(walked.length, Object.keys(OFFSET_LISTS).length)
})

async function read(list: Placed, cut: Record<string, string>): Promise<{ keys: string[]; answer: ClientResponse }> {
  const response = await list.client.get(list.path, cut)
  assert.equal(response.status, 200, response.text)
  return { keys: list.keysIn(response.json), answer: response }
}

const LIMIT = 7

for (const { list, make, path, usual, most, prev } of walked) {
  /** The offset of the previous link of a page; trends have none before the third page. */
  const offsetBefore = (offset: number): number | undefined => {
    if (prev !== 'offset' || offset === 0) return undefined
    return path.startsWith('/api/v1/trends') && offset <= LIMIT ? undefined : offset - LIMIT
  }

  test(`${list} has pages of ${usual}, at most ${most}, by offset`, async t => {
    const placed = await make(await makeWorld(t), most + 3)
    assert.equal((await read(placed, {})).keys.length, usual)
    assert.equal((await read(placed, { limit: String(most + 2) })).keys.length, most)
    const seen: string[] = []
    for (let offset = 0; ; offset += LIMIT) {
      const { keys, answer: response } = await read(placed, { limit: String(LIMIT), offset: String(offset) })
      seen.push(...keys)
      const offsetOf = (rel: 'next' | 'prev'): number | undefined => {
        const link = linkOf(response, rel)
        return link === undefined
          ? undefined
          : Number(new URL(link, placed.client.server.url).searchParams.get('offset') ?? 0)
      }
      const more = prev === 'offset' && seen.length < placed.keys.size
      assert.equal(offsetOf('next'), more ? offset + LIMIT : undefined, `next at ${offset}`)
      assert.equal(offsetOf('prev'), offsetBefore(offset), `prev at ${offset}`)
      if (keys.length < LIMIT) break
    }
    assert.equal(new Set(seen).size, seen.length, 'no row twice')
    const all = { limit: String(most) }
    if (path !== '/api/v2/search')
      assert.deepEqual((await read(placed, { ...all, offset: '-1' })).keys, (await read(placed, all)).keys)
    assert.deepEqual((await read(placed, { ...all, offset: '2000000000' })).keys, [], 'beyond the end')
    assert.deepEqual(new Set(seen), placed.keys)
  })
}
