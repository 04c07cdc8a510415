import type { Test } from 'tap'
import { Client } from './client.ts'
import { person, type Person } from './person.ts'
import { sharedServer, type ServerAddress, type TestServer } from './server.ts'

export { makeToken, person, Person, sql, waitForEventLog } from './person.ts'
export type { PersonOptions } from './person.ts'

/**
 * A client with an unknown token: it gets the responses of an anonymous client, but never from the
 * cache, even when data were changed behind the server's back.
 */
export const uncachedAnonymous = (server: ServerAddress): Client => new Client(server, 'unknown')

type People<N extends string> = Record<N, Person> & { server: TestServer; anonymous: Client }

/**
 * Signed-in persons on the file's server: `const { alice, bob } = await people(t, 'alice', 'bob')`.
 * Their streams are closed at the end of the test.
 */
export async function people<const N extends string>(t: Test, ...names: N[]): Promise<People<N>> {
  const server = await sharedServer()
  const made = await Promise.all(names.map(name => person(server, name)))
  t.after(() => Promise.all(made.map(one => one.close())))
  const named = Object.fromEntries(names.map((name, index) => [name, made[index]])) as Record<N, Person>
  return { ...named, server, anonymous: new Client(server) }
}
