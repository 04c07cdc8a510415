import assert from 'node:assert/strict'
import type { ClientResponse } from '../../support/client.ts'
import type { Person } from '../../support/people.ts'

export interface Item {
  id: string
  account_id: string
  state: string
  created_at: string
}

export interface Collection {
  id: string
  account_id: string
  uri: string
  url: string
  name: string
  description: string | null
  language: string | null
  tag: { name: string; url: string } | null
  item_count: number
  items: Item[]
  updated_at: string
}

const PATH = '/api/v1/collections'

export const pathOf = (id: string): string => `${PATH}/${id}`

export const NOT_FOUND = [404, { error: 'Record not found' }]
export const NOT_ALLOWED = [403, { error: 'This action is not allowed' }]

export const brief = ({ status, json }: ClientResponse): unknown[] => [status, json]

/** Creates a collection of these people. */
export async function collect(owner: Person, members: readonly Person[], more: object = {}): Promise<Collection> {
  const body = { name: 'choir', sensitive: false, discoverable: true, account_ids: members.map(one => one.id), ...more }
  const response = await owner.post(PATH, body)
  assert.equal(response.status, 200, response.text)
  return (response.json as { collection: Collection }).collection
}

/** The collections in a response. */
export const collectionsIn = (response: ClientResponse): Collection[] => {
  assert.equal(response.status, 200, response.text)
  return (response.json as { collections: Collection[] }).collections
}

/** Reads a collection as a viewer. */
export async function seen(
  viewer: { get(path: string): Promise<ClientResponse> },
  id: string,
): Promise<{ accounts: { id: string }[]; collection: Collection }> {
  const response = await viewer.get(pathOf(id))
  assert.equal(response.status, 200, response.text)
  return response.json as { accounts: { id: string }[]; collection: Collection }
}

export const membersOf = ({ items }: Collection): string[] => items.map(item => item.account_id)
