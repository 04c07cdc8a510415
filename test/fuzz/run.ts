import fc from 'fast-check'
import type { TestServer } from '../support/server.ts'
import { KnownIds } from './known_ids.ts'
import { anyRequest, type FuzzRequest } from './requests.ts'
import { send } from './send.ts'
import { createFuzzWorld, type FuzzWorld } from './world.ts'

/** Requests of one world. New people come with the next: these may have been suspended by then. */
const REQUESTS_A_WORLD = 500

export interface FuzzOptions {
  readonly seed: number
  readonly count: number
  /** A longer response is a failure. */
  readonly slowMs: number
  /** No further request is sent after this time. */
  readonly limitMs?: number
  /** Called after each world with the number of requests until then, and its failure. */
  progress?(done: number, failure: FuzzFailure | undefined): void
}

/** A request that was not handled as it should be. */
export interface FuzzFailure {
  /** Of the world: `--seed` with this number and `--count` as small as this repeats it. */
  readonly seed: number
  readonly message: string
  readonly request: string
}

/** Sends one request. @throws Error when the response is late, a 5xx, or not as described */
async function attempt(world: FuzzWorld, request: FuzzRequest, slowMs: number): Promise<void> {
  const startedMs = performance.now()
  const { status, text, json } = await send(world, request)
  const tookMs = performance.now() - startedMs
  // A service that is not configured or away is no failure of the server.
  if (status >= 500 && status !== 503 && status !== 501) throw new Error(`${status} ${text.slice(0, 300)}`)
  if (tookMs > slowMs) throw new Error(`${Math.round(tookMs)} ms`)
  if (status === 200) world.ids.learn(request.path.replace(/\/:.*/, '').replace(/.*\//, ''), json)
}

/** Requests of one seed to one world; the first failure. */
async function fuzzWorld(
  world: FuzzWorld,
  { seed, count, slowMs, limitMs }: FuzzOptions,
): Promise<FuzzFailure | undefined> {
  const property = fc.asyncProperty(anyRequest, request => attempt(world, request, slowMs))
  // A response that never comes is a failure too. Without the shorter requests that fail alike, as
  // each of them might take as long.
  const { counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: count,
    timeout: slowMs + 1000,
    endOnFailure: true,
    ...(limitMs !== undefined && { interruptAfterTimeLimit: Math.max(limitMs, 1) }),
  })
  if (!counterexample) return undefined
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return { seed, message, request: JSON.stringify(counterexample[0]) }
}

/**
 * Sends random requests one after another, worlds of people at a time. A world that fails ends with
 * its failure; the next begin all the same.
 */
export async function fuzz(server: TestServer, options: FuzzOptions): Promise<FuzzFailure[]> {
  const { seed, count, limitMs = Number.POSITIVE_INFINITY, progress } = options
  const failures: FuzzFailure[] = []
  const endMs = performance.now() + limitMs
  for (let done = 0; done < count && performance.now() < endMs; done += REQUESTS_A_WORLD) {
    const world = await createFuzzWorld(server, new KnownIds())
    const some = Math.min(REQUESTS_A_WORLD, count - done)
    const failure = await fuzzWorld(world, {
      ...options,
      seed: seed + done / REQUESTS_A_WORLD,
      count: some,
      ...(options.limitMs !== undefined && { limitMs: endMs - performance.now() }),
    })
    if (failure) failures.push(failure)
    progress?.(done + some, failure)
  }
  return failures
}
