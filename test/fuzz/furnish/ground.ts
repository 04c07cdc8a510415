import type { Person } from '../../support/person.ts'
import type { ServerAddress } from '../../support/server.ts'
import type { KnownIds } from '../known_ids.ts'
import type { Outside } from '../outside.ts'

/** What a world is furnished with things on. */
export interface Ground {
  readonly server: ServerAddress
  readonly outside: Outside
  readonly ids: KnownIds
  readonly alice: Person
  readonly bob: Person
  readonly owner: Person
}

/** @throws Error when the response is none of success */
export async function must<T = { id: string }>(who: Person, method: string, path: string, body?: unknown): Promise<T> {
  const response = await who.request(method, path, { body })
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
  return response.json as T
}
