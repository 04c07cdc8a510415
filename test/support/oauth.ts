import assert from 'node:assert/strict'
import { hashPassword } from '../../src/platform/password_hashing/index.ts'
import { Client } from './client.ts'
import { person, type Person, type PersonOptions } from './person.ts'
import type { ServerAddress } from './server.ts'

/** A registered application with its secret. */
export interface TestApplication {
  readonly id: string
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
}

export const PASSWORD = 'correct horse battery'

/** Registers an application, as a client does. */
export async function registerApplication(
  server: ServerAddress,
  change: Record<string, unknown> = {},
): Promise<TestApplication> {
  const wanted = {
    client_name: 'Tapir',
    redirect_uris: 'https://app.example/callback',
    scopes: 'read write push profile',
    website: 'https://app.example',
    ...change,
  }
  const { status, json, text } = await new Client(server).post('/api/v1/apps', wanted)
  assert.equal(status, 200, text)
  return json as TestApplication
}

let passwordHash: Promise<string> | undefined

/** A person whose password is PASSWORD. */
export async function personWithPassword(
  server: ServerAddress,
  name: string,
  options: PersonOptions = {},
): Promise<Person & { email: string }> {
  const user = { password_hash: await (passwordHash ??= hashPassword(PASSWORD)), ...options.user }
  const made = await person(server, name, { ...options, user })
  return Object.assign(made, { email: `${made.username}@example.com` })
}
