import assert from 'node:assert/strict'
import { entity, type Entity } from '../../statuses/status_fixtures.ts'
import { localUri, type Document, type PeerActor } from '../../support/federation/peer.ts'
import { sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/** A public note of a peer's actor that mentions a local person. */
export const noteTo = (
  server: TestServer,
  person: Person,
  actor: PeerActor,
  content: string,
  more: Document = {},
): Document & { id: string } =>
  actor.note(content, {
    tag: [{ type: 'Mention', href: localUri(server, person.id), name: `@${person.username}` }],
    ...more,
  })

/** The jobs that are left and the latest lines of the log, for the report of a failure. */
async function stateOf(server: TestServer): Promise<string> {
  const jobs = await sql(
    server,
    'select task_identifier, attempts, last_error, run_at, locked_at, now() from graphile_worker.jobs order by run_at limit 20',
  )
  return [...jobs, ...server.log.slice(-40)].map(line => JSON.stringify(line)).join('\n')
}

/**
 * Sends a note that mentions a person, waits for the notification and returns the status. The
 * activities of an actor are processed in order, so that earlier ones are processed by then.
 */
export async function deliver(server: TestServer, person: Person, actor: PeerActor, note: Document): Promise<Entity> {
  const socket = await person.stream('user')
  assert.equal(await actor.send(server, actor.create(note)), 202)
  const { payload } = await socket
    .next('notification', message => {
      const { status } = entity(message.payload)
      return status !== undefined && entity(status)['uri'] === note['id']
    })
    .catch(async (cause: unknown) => {
      throw new Error(`${String(cause)}\n${await stateOf(server)}`, { cause })
    })
  return entity(entity(payload)['status'])
}

/**
 * Waits until all activities of an actor are processed; returns a status that mentions the person.
 */
export const waitUntilProcessed = (server: TestServer, person: Person, actor: PeerActor): Promise<Entity> =>
  deliver(server, person, actor, noteTo(server, person, actor, 'settled'))

export const accountOf = (status: Entity): Entity => entity(status['account'])

/** The id of the stored account of an actor. */
export async function findAccountId(server: TestServer, actor: PeerActor): Promise<string> {
  const [row] = await sql(server, `select id::text from accounts where uri = $1`, [actor.uri])
  return String(row?.['id'])
}

/** A local person follows an account of a peer, which accepts. */
export async function followActor(server: TestServer, person: Person, actor: PeerActor): Promise<void> {
  const { id } = accountOf(await waitUntilProcessed(server, person, actor))
  await person.post(`/api/v1/accounts/${id}/follow`)
  const follow = { type: 'Follow', actor: localUri(server, person.id), object: actor.uri }
  await actor.send(server, actor.activity('Accept', follow))
  await waitUntilProcessed(server, person, actor)
}
