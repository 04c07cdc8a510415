import assert from 'node:assert/strict'
import test from 'node:test'
import { linkOf, type Answered } from '../support/client.ts'
import { CONTRACT } from './contract.ts'
import { OFFSET_LISTS, type Placed } from './offset_lists.ts'
import { makeWorld } from './world.ts'

async function read(list: Placed, cut: Record<string, string>): Promise<{ keys: string[]; answer: Answered }> {
  const answer = await list.client.get(list.path, cut)
  assert.equal(answer.status, 200, answer.text)
  return { keys: list.keysIn(answer.json), answer }
}

for (const { path, usual, most, prev } of CONTRACT.filter(one => one.path in OFFSET_LISTS)) {
  test(`${path}: pages of ${usual}, at most ${most}, by offset`, async t => {
    const list = await OFFSET_LISTS[path]?.(await makeWorld(t), most + 3)
    assert.ok(list)
    assert.equal((await read(list, {})).keys.length, usual)
    assert.equal((await read(list, { limit: String(most + 2) })).keys.length, most)
    const limit = 17
    const seen: string[] = []
    for (let offset = 0; ; offset += limit) {
      const { keys, answer } = await read(list, { limit: String(limit), offset: String(offset) })
      seen.push(...keys)
      const next = linkOf(answer, 'next')
      assert.equal(next !== undefined, prev === 'offset' && seen.length < list.keys.size)
      if (next !== undefined)
        assert.equal(new URL(next, list.client.server.url).searchParams.get('offset'), String(offset + limit))
      if (keys.length < limit) break
    }
    assert.equal(new Set(seen).size, seen.length, 'none twice')
    assert.deepEqual(new Set(seen), list.keys)
  })
}
