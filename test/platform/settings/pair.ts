import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { person, type Person, type PersonOptions } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/** Two servers on one database, and the command line as a third process. */
export interface Pair {
  readonly servers: readonly [TestServer, TestServer]
  ctl(...given: string[]): Promise<string>
  person(name: string, options?: PersonOptions): Promise<Person>
}

const LATEST_MS = 30_000

export async function openPair(t: Test, env: Record<string, string> = {}): Promise<Pair> {
  const both = { LOCAL_DOMAIN: 'mill.example', ...env }
  const first = await startServer(t, { env: both })
  const second = await startServer(t, { databaseUrl: first.databaseUrl, env: both })
  const line = await createCommandLine(t, first.databaseUrl)
  return {
    servers: [first, second],
    ctl: (...given) => line.ok(...given),
    person: (name, options) => person(first, name, options),
  }
}

/** Waits until a value is as wanted: changes of other processes arrive as events. */
export async function becomes(see: () => Promise<unknown>, wanted: unknown, what: string): Promise<void> {
  const until = performance.now() + LATEST_MS
  for (;;) {
    const seen = await see()
    try {
      assert.deepEqual(seen, wanted, what)
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}
