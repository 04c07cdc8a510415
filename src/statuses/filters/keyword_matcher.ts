import { randomInt } from 'node:crypto'
import { runInTimeSlices, type Steps } from '../../core/time_slices.ts'
import { toSymbols, type Symbols } from './code_points.ts'

export interface Keyword {
  readonly keyword: string
  readonly whole_word: boolean
}

/** The number of symbols that are added or read in one step of a time slice. */
const SLICE_SYMBOLS = 256
const TEXT_PORTION = 1024

/** Random, so that nobody can choose keywords that collide in the table of transitions. */
const SEED = randomInt(2 ** 31)

const NEVER = 2 ** 31 - 1

/** A text is matched for one viewer after another, so the last one is cached. */
let lastText: Symbols | undefined

function* read(text: string): Steps<Symbols> {
  return lastText?.text === text ? lastText : (lastText = yield* toSymbols(text, true))
}

/** A keyword that is being added to the automaton. */
interface Entry {
  readonly symbols: Int32Array
  readonly filter: number
  /** Its index among the keywords of its filter. */
  readonly order: number
  /** The node that it has reached. */
  node: number
}

/** Keywords with equal symbols. */
interface Ending {
  /** In symbols. */
  readonly length: number
  /** Pairs of a filter and the index of its keyword, flattened. */
  readonly keywords: number[]
}

/** The first match of each filter: its start and end in the text, and the index of its keyword. */
interface Matches {
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly orders: Int32Array
}

/**
 * Finds the keywords of many filters in one pass over a text, by the Aho-Corasick automaton: the
 * cost grows with the text and not with the keywords. Each filter finds the match that a regular
 * expression `one|two|three` of its keywords, with the flags `iu`, would find first.
 *
 * A text has an additional symbol wherever a word begins or ends, and a whole-word keyword begins
 * and ends with that symbol. So every match of the automaton is final and none needs a second
 * check.
 */
export class KeywordMatcher {
  private readonly filters: number
  /** Parents of the automaton's nodes; 0 is the root, and none. */
  private readonly parent: Int32Array
  private readonly symbol: Int32Array
  private readonly suffix: Int32Array
  /** The longest proper suffix that is a whole keyword. */
  private readonly shorter: Int32Array
  /** The index in `endings`, plus one. */
  private readonly ending: Int32Array
  /** Nodes by a hash of the transition that leads to them. */
  private readonly table: Int32Array
  private readonly endings: Ending[] = []
  private nodes = 1

  private constructor(filters: number, symbols: number) {
    this.filters = filters
    this.parent = new Int32Array(symbols + 1)
    this.symbol = new Int32Array(symbols + 1)
    this.suffix = new Int32Array(symbols + 1)
    this.shorter = new Int32Array(symbols + 1)
    this.ending = new Int32Array(symbols + 1)
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(symbols + 1) + 1))
  }

  /**
   * Builds the automaton in short slices, so that other work can run meanwhile.
   * @param filters the keywords of each; empty ones match nothing
   */
  static async of(filters: readonly (readonly Keyword[])[]): Promise<KeywordMatcher> {
    return runInTimeSlices(KeywordMatcher.make(filters))
  }

  private static *make(filters: readonly (readonly Keyword[])[]): Steps<KeywordMatcher> {
    const entries: Entry[] = []
    let sum = 0
    for (const [filter, keywords] of filters.entries())
      for (const [order, { keyword, whole_word: wholeWord }] of keywords.entries()) {
        const { symbols, length } = yield* toSymbols(keyword, wholeWord)
        if (length > 0) entries.push({ symbols: symbols.subarray(0, length), filter, order, node: 0 })
        sum += length
        yield
      }
    const matcher = new KeywordMatcher(filters.length, sum)
    yield* matcher.build(entries)
    return matcher
  }

  /**
   * Adds the first symbol of all keywords, then the second and so on, because a node needs all its
   * suffixes to exist.
   */
  private *build(entries: readonly Entry[]): Steps<void> {
    let added = 0
    let unfinished = entries
    for (let depth = 0; unfinished.length > 0; depth += 1) {
      const longer: Entry[] = []
      for (const entry of unfinished) {
        entry.node = this.add(entry.node, entry.symbols[depth] ?? 0)
        if (depth + 1 < entry.symbols.length) longer.push(entry)
        else this.end(entry)
        added += 1
        if (added % SLICE_SYMBOLS === 0) yield
      }
      unfinished = longer
    }
  }

  private end({ node, symbols, filter, order }: Entry): void {
    const known = this.endings[(this.ending[node] ?? 0) - 1]
    if (known) known.keywords.push(filter, order)
    else this.ending[node] = this.endings.push({ length: symbols.length, keywords: [filter, order] })
  }

  private slot(node: number, symbol: number): number {
    const hash = Math.imul(Math.imul(node ^ SEED, 0x9e3779b1) ^ symbol, 0x85ebca6b)
    return (hash ^ (hash >>> 15)) & (this.table.length - 1)
  }

  /** The target of a transition; 0 for none. */
  private child(node: number, symbol: number): number {
    const { table, parent, symbol: symbols } = this
    for (let slot = this.slot(node, symbol); ; slot = (slot + 1) & (table.length - 1)) {
      const found = table[slot] ?? 0
      if (found === 0 || (parent[found] === node && symbols[found] === symbol)) return found
    }
  }

  /** The longest suffix of the input, including the symbol, that begins a keyword. */
  private advance(from: number, symbol: number): number {
    let node = from
    for (;;) {
      const next = this.child(node, symbol)
      if (next !== 0 || node === 0) return next
      node = this.suffix[node] ?? 0
    }
  }

  private add(parent: number, symbol: number): number {
    const known = this.child(parent, symbol)
    if (known !== 0) return known
    const node = this.nodes
    this.nodes += 1
    const suffix = parent === 0 ? 0 : this.advance(this.suffix[parent] ?? 0, symbol)
    this.suffix[node] = suffix
    this.shorter[node] = this.longestEnding(suffix)
    this.parent[node] = parent
    this.symbol[node] = symbol
    let slot = this.slot(parent, symbol)
    while (this.table[slot] !== 0) slot = (slot + 1) & (this.table.length - 1)
    this.table[slot] = node
    return node
  }

  private longestEnding(node: number): number {
    return this.ending[node] === 0 ? (this.shorter[node] ?? 0) : node
  }

  /** The first match of each filter, as written in the text. */
  *find(text: string): Steps<readonly (string | undefined)[]> {
    const { symbols, offsets, length } = yield* read(text)
    const matches: Matches = {
      starts: new Int32Array(this.filters).fill(NEVER),
      ends: new Int32Array(this.filters),
      orders: new Int32Array(this.filters),
    }
    const isFound = new Uint8Array(this.endings.length)
    let node = 0
    for (let at = 0; at < length;) {
      for (const until = Math.min(at + TEXT_PORTION, length); at < until; at += 1) {
        node = this.advance(node, symbols[at] ?? 0)
        for (let found = this.longestEnding(node); found !== 0; found = this.shorter[found] ?? 0) {
          const place = (this.ending[found] ?? 0) - 1
          const ending = this.endings[place]
          // A keyword that was found before was found with all shorter keywords that end there.
          if (!ending || isFound[place] === 1) break
          isFound[place] = 1
          take(matches, ending.keywords, offsets[at - ending.length + 1] ?? 0, offsets[at + 1] ?? 0)
        }
      }
      if (at < length) yield
    }
    return Array.from(matches.starts, (start, filter) =>
      start === NEVER ? undefined : text.slice(start, matches.ends[filter]),
    )
  }
}

/** The first match in the text wins; of matches with the same start, the first keyword. */
function take({ starts, ends, orders }: Matches, keywords: readonly number[], start: number, end: number): void {
  for (let at = 0; at < keywords.length; at += 2) {
    const filter = keywords[at] ?? 0
    const order = keywords[at + 1] ?? 0
    const first = starts[filter] ?? NEVER
    if (start > first || (start === first && order > (orders[filter] ?? 0))) continue
    starts[filter] = start
    ends[filter] = end
    orders[filter] = order
  }
}
