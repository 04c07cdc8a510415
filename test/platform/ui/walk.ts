import assert from 'node:assert/strict'
import { linkOf, type ClientResponse } from '../../support/client.ts'
import type { Rows } from './rows.ts'

/** A generator of numbers from 0 to 1 from a seed. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const withQuery = (path: string, query: string | undefined): string =>
  query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

/** The keys of a page. */
export async function readPage(rows: Rows, path: string): Promise<{ keys: string[]; answer: ClientResponse }> {
  const response = await rows.client.get(withQuery(path, rows.again))
  assert.equal(response.status, 200, `${path}: ${response.text}`)
  return { keys: rows.keysIn(response.json), answer: response }
}

/** Reads the first page, with or without a limit. */
export const firstPage = (rows: Rows, limit?: number): Promise<{ keys: string[]; answer: ClientResponse }> =>
  readPage(rows, withQuery(rows.path, limit === undefined ? undefined : `limit=${limit}`))

/** The start and direction of paging, and the changes between two pages. */
export interface Walk {
  readonly from: string | undefined
  readonly rel: 'next' | 'prev'
  /** Changes a link before it is followed. */
  readonly turn?: (link: string) => string
  readonly between: (last: readonly string[]) => Promise<void>
}

/** Reads all pages; returns their keys in the order of the list, and the last non-empty page. */
export async function walk(
  rows: Rows,
  { from, rel, turn = link => link, between }: Walk,
): Promise<{ keys: string[]; last: ClientResponse | undefined }> {
  const keys: string[] = []
  let path = from
  let last: ClientResponse | undefined
  for (let pages = 0; path !== undefined; pages++) {
    assert.ok(pages < 500, `${rows.path} does not end`)
    const page = await readPage(rows, path)
    if (rel === 'next') keys.push(...page.keys)
    else keys.unshift(...page.keys)
    if (page.keys.length > 0) last = page.answer
    await between(page.keys)
    const link = linkOf(page.answer, rel)
    path = link === undefined ? undefined : turn(link)
  }
  return { keys, last }
}

/** Removes and adds random rows at the ends and between, but never the rows that must stay. */
export function disturb(rows: Rows, stay: ReadonlySet<string>, chance: () => number) {
  const present = new Set(rows.keys.filter(key => !stay.has(key)))
  const absent = new Set<string>()
  const pick = (set: ReadonlySet<string>): string | undefined => [...set][Math.floor(chance() * set.size)]
  return async (last: readonly string[]): Promise<void> => {
    // The row that the links cut at is the one whose absence would matter.
    const cut = last.find(key => present.has(key))
    const removed = chance() < 0.5 ? (cut ?? pick(present)) : pick(present)
    const back = chance() < 0.6 ? pick(absent) : undefined
    if (removed !== undefined && chance() < 0.7) {
      await rows.hide(removed)
      present.delete(removed)
      if (rows.show) absent.add(removed)
    }
    if (back !== undefined && rows.show) {
      await rows.show(back)
      absent.delete(back)
      present.add(back)
    }
    if (rows.add && chance() < 0.3) await rows.add()
  }
}
