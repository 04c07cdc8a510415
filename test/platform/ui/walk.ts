import assert from 'node:assert/strict'
import { linkOf, type ClientResponse } from '../../support/client.ts'
import type { Rows } from './rows.ts'

/** Numbers from 0 to 1, the same for the same seed. */
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
  const answer = await rows.client.get(withQuery(path, rows.again))
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return { keys: rows.keysIn(answer.json), answer }
}

/** The first page with a limit, or without one. */
export const firstPage = (rows: Rows, limit?: number): Promise<{ keys: string[]; answer: ClientResponse }> =>
  readPage(rows, withQuery(rows.path, limit === undefined ? undefined : `limit=${limit}`))

/** How pages are gone through: from where, which way, and what happens between two of them. */
export interface Walk {
  readonly from: string | undefined
  readonly rel: 'next' | 'prev'
  /** What is made of a link before it is followed. */
  readonly turn?: (link: string) => string
  readonly between: (last: readonly string[]) => Promise<void>
}

/**
 * The keys of all pages in the order of the list, and the links of the last one that was not empty.
 */
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

/**
 * Takes rows out and puts rows in, at the ends and anywhere between, but never one of those that
 * are to stay.
 */
export function disturb(rows: Rows, stay: ReadonlySet<string>, chance: () => number) {
  const present = new Set(rows.keys.filter(key => !stay.has(key)))
  const absent = new Set<string>()
  const pick = (set: ReadonlySet<string>): string | undefined => [...set][Math.floor(chance() * set.size)]
  return async (last: readonly string[]): Promise<void> => {
    // The row that the links cut at is the one whose absence would matter.
    const cut = last.find(key => present.has(key))
    const gone = chance() < 0.5 ? (cut ?? pick(present)) : pick(present)
    const back = chance() < 0.6 ? pick(absent) : undefined
    if (gone !== undefined && chance() < 0.7) {
      await rows.hide(gone)
      present.delete(gone)
      if (rows.show) absent.add(gone)
    }
    if (back !== undefined && rows.show) {
      await rows.show(back)
      absent.delete(back)
      present.add(back)
    }
    if (rows.add && chance() < 0.3) await rows.add()
  }
}
