import { readFileSync } from 'node:fs'
import module from 'node:module'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Garbage is collected when the heap has grown by this percentage since the last collection. V8's
 * default lets it grow fourfold: 1,000 users who stream, poll and post took 346 MB after a minute
 * with it, and 245 MB with this value and smaller caches, at the same CPU use. Young generations of
 * 8 instead of 16 MB cannot be set at run time; they are an option of `npm start`
 * (`--max-semi-space-size`) and save 16 MB at the same speed of reading and posting. Neither can
 * the number of heaps of glibc's `malloc` (MALLOC_ARENA_MAX in `npm start`): by default each thread
 * has its own, and buffers of pictures stay there after use. After 60 pictures a process had 166
 * instead of 216 MB.
 */
const HEAP_GROWS_PERCENT = 25
/**
 * A small heap may grow by this much. A quarter of it would be 12 MB after a start, when caches
 * fill: a third of the server's processor time was garbage collection then. Heaps above 96 MB grow
 * by a quarter.
 */
const HEAP_GROWS_BYTES = 24 * 1024 * 1024

/**
 * For glibc's resolver, see resolv.conf(5). libuv looks up two names at a time. By default each
 * waits ten seconds for name servers that do not answer, and all other look-ups wait meanwhile,
 * although connections are given up after five.
 */
const RESOLVER_OPTIONS = 'timeout:2 attempts:2'

/** Shortens look-ups of names, unless the environment or resolv.conf(5) has a time for them. */
export function shortenLookups(environment: NodeJS.ProcessEnv): void {
  let configured = ''
  try {
    configured = readFileSync('/etc/resolv.conf', 'utf8')
  } catch {
    // Another system, or none is configured.
  }
  if (!/^options\b.*\b(?:timeout|attempts):/m.test(configured)) environment['RES_OPTIONS'] ??= RESOLVER_OPTIONS
}

/** Configures Node.js for a start; call it before the server's modules are loaded. */
export function prepareStart(): void {
  module.enableCompileCache()
}

/**
 * Call it at the end of a start: bounds the growth of the heap from now on, since collecting while
 * modules are loaded frees little, and collects the garbage of the start once. That takes 0.1 s and
 * returns some 20 MB to the system, which the next collections, being local, would keep.
 */
export function finishStart(): void {
  boundGrowth()
  // V8 reads the flag at the end of each collection of the whole heap, before this is notified.
  new PerformanceObserver(list => {
    if (list.getEntries().some(isOfWholeHeap)) boundGrowth()
  }).observe({ entryTypes: ['gc'] })
  // Only contexts that are made after the flag have the function.
  v8.setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

function isOfWholeHeap(entry: object): boolean {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'kind' in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  )
}

/** For the next collection, whose heap is about as large as the limit that the last one has set. */
function boundGrowth(): void {
  const percent = Math.round((HEAP_GROWS_BYTES / v8.getHeapStatistics().used_heap_size) * 100)
  v8.setFlagsFromString(`--heap-growing-percent=${Math.max(percent, HEAP_GROWS_PERCENT)}`)
}
