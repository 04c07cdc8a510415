import type { Test } from 'tap'
import { Browser } from './browser.ts'
import { PASSWORD, personWithPassword } from './oauth.ts'
import type { Person, PersonOptions } from './people.ts'
import { sharedServer, type TestServer } from './server.ts'

/** A person and the browser in which the person is signed in. */
export interface SignedIn {
  readonly person: Person & { email: string }
  readonly browser: Browser
  readonly server: TestServer
}

/** Signs a new person in, on the shared server or the given one. */
export async function signedIn(
  t: Test,
  name: string,
  options: PersonOptions & { server?: TestServer } = {},
): Promise<SignedIn> {
  const { server = await sharedServer(), ...more } = options
  const person = await personWithPassword(server, name, more)
  t.after(() => person.close())
  const browser = new Browser(server)
  await browser.signIn(person.email, PASSWORD)
  return { person, browser, server }
}
