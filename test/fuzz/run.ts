import { checkResponse } from '../support/responses/check.ts'
import type { ServerAddress } from '../support/server.ts'
import { openConnection, type Connection, type Outgoing, type Received } from './connection.ts'
import type { CpuMeter } from './cpu_meter.ts'
import { judgeSlow } from './slow.ts'
import { openDatabaseIds, type DatabaseIds } from './database_ids.ts'
import { KnownIds } from './known_ids.ts'
import { outgoingOf } from './outgoing.ts'
import type { Outside } from './outside.ts'
import { BATCH, openRequests, type FuzzRequest } from './requests.ts'
import { Tally } from './tally.ts'
import { createFuzzWorld, endFuzzWorld, type FuzzWorld } from './world.ts'

/** Requests of one world. New people come with the next: these may have been suspended by then. */
const REQUESTS_A_WORLD = 500

/** A world that so many attempts could not create is a failure. */
const MAX_ATTEMPTS = 5

/**
 * Tasks that concern everybody are started in one of so many worlds: the people of all worlds stay,
 * and each of them would be mailed, and followed, again and again.
 */
const WORLDS_A_TASK = 100
const CONCERNS_EVERYBODY = /\/(?:un)?follow_all$|^\/admin\/tasks\/(?:copy|cull|orphans|prune|recount|refresh|rotate)$/

/** So many requests after the last time, the ids in the database are read. */
const LEARN_EVERY = 100

export interface FuzzOptions {
  readonly seed: number
  readonly count: number
  readonly outside: Outside
  /** A longer response is a failure, when the server is to blame. */
  readonly slowMs: number
  /** How many worlds there are at a time. Default 1. */
  readonly worlds?: number
  /** How many requests of a world are under way at a time. Default 1. */
  readonly inFlight?: number
  /** Only these: `POST /inbox`. */
  readonly operations?: RegExp | undefined
  /** No further request is sent after this. */
  readonly stop?: AbortSignal
  /** The processor time of a server in another process. */
  readonly cpu?: CpuMeter
  failed?(failure: FuzzFailure): void
  /** Called after each world with the number of responses until then; the next waits for it. */
  progress?(done: number): Promise<void> | void
}

/** A request that was not handled as it should be. */
export interface FuzzFailure {
  /** Of the world: `--seed` with this number and `--count 500` repeats it. */
  readonly seed: number
  readonly message: string
  readonly request: string
}

/** What a run has found. */
export interface FuzzResult {
  readonly failures: readonly FuzzFailure[]
  readonly tally: Tally
  /** Late responses to requests that were fast when they were repeated. */
  readonly slowOnce: readonly string[]
}

interface Run {
  readonly options: FuzzOptions
  readonly requestsOf: (seed: number) => FuzzRequest[]
  readonly connection: Connection
  readonly databaseIds: DatabaseIds
  readonly tally: Tally
  readonly failures: FuzzFailure[]
  readonly slowOnce: string[]
}

const pathnameOf = (path: string): string => path.replace(/\?.*/s, '')

/** @throws Error when the response is a 5xx or not as described */
async function checkAnswer({ method, path }: Outgoing, { status, type, text, json }: Received): Promise<void> {
  // A service that is not configured or away is no failure of the server.
  if (status >= 500 && status !== 503 && status !== 501) throw new Error(`${status} ${text.slice(0, 300)}`)
  await checkResponse(method, pathnameOf(path), { status, type, json })
}

/** Sends one request. @throws Error when the response is late, a 5xx, or not as described */
async function attempt(run: Run, world: FuzzWorld, request: FuzzRequest): Promise<void> {
  const sent = outgoingOf(world, request)
  const received = await run.connection.send(sent)
  run.tally.add(request, received.status)
  await checkAnswer(sent, received)
  if (received.tookMs > run.options.slowMs) {
    const excuse = await judgeSlow(run.connection, sent, received.tookMs, run.options)
    if (excuse !== undefined) run.slowOnce.push(excuse)
  }
  if (received.status >= 200 && received.status < 300)
    world.ids.learn(request.path.replace(/\/:.*/, '').replace(/.*\//, ''), received.json)
}

const isStopped = ({ stop }: FuzzOptions): boolean => stop?.aborted === true

function report({ failures, options }: Run, failure: FuzzFailure): void {
  failures.push(failure)
  options.failed?.(failure)
}

/**
 * Creates a world, or another one when the requests of a world beside it, such as those of its
 * owner against accounts, have hit the new people before they were complete.
 */
async function createWorld(server: ServerAddress, outside: Outside, attempts: number): Promise<FuzzWorld> {
  try {
    return await createFuzzWorld(server, outside, new KnownIds())
  } catch (error) {
    if (attempts <= 1) throw error
    return createWorld(server, outside, attempts - 1)
  }
}

/** Sends the requests of one seed, on behalf of new people. */
async function fuzzWorld(run: Run, server: ServerAddress, seed: number, count: number): Promise<void> {
  const { inFlight = 1, worlds = 1 } = run.options
  const world = await createWorld(server, run.options.outside, worlds > 1 ? MAX_ATTEMPTS : 1)
  for (let first = 0; first < count && !isStopped(run.options); first += BATCH) {
    if (first % LEARN_EVERY === 0) await run.databaseIds.learn(world)
    const batch = run
      .requestsOf(seed * (REQUESTS_A_WORLD / BATCH) + first / BATCH)
      .slice(0, count - first)
      .filter(({ path }) => seed % WORLDS_A_TASK === 0 || !CONCERNS_EVERYBODY.test(path))
      .values()
    const sendAll = async (): Promise<void> => {
      for (const request of batch) {
        await attempt(run, world, request).catch((error: unknown) => {
          report(run, { seed, message: String(error), request: JSON.stringify(request) })
        })
      }
    }
    await Promise.all(Array.from({ length: inFlight }, sendAll))
  }
  await endFuzzWorld(server, world)
  // What other worlds' people are sent is of no interest, and is much.
  run.options.outside.peer.received.length = 0
}

/**
 * Sends random requests, worlds of people at a time. After a failure the next requests follow all
 * the same.
 */
export async function fuzz(server: ServerAddress, options: FuzzOptions): Promise<FuzzResult> {
  const { seed, count, worlds = 1, progress } = options
  const connection = openConnection(server)
  const databaseIds = await openDatabaseIds(server.databaseUrl)
  const requestsOf = openRequests(options.operations)
  const run: Run = { options, requestsOf, connection, databaseIds, tally: new Tally(), failures: [], slowOnce: [] }
  let next = 0
  async function work(): Promise<void> {
    while (next * REQUESTS_A_WORLD < count && !isStopped(options)) {
      const index = next
      next += 1
      const some = Math.min(REQUESTS_A_WORLD, count - index * REQUESTS_A_WORLD)
      await fuzzWorld(run, server, seed + index, some).catch((error: unknown) => {
        report(run, { seed: seed + index, message: `no world: ${String(error)}`, request: '' })
      })
      await progress?.(run.tally.sent)
    }
  }
  try {
    await Promise.all(Array.from({ length: worlds }, work))
  } finally {
    await Promise.all([connection.close(), databaseIds.close()])
  }
  return run
}
