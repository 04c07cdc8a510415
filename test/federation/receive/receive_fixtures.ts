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

/**
 * Sends a note that mentions a person, and waits for the notification; the status. Activities of an
 * actor are processed in order: what the actor sent before is done then.
 */
export async function deliver(server: TestServer, person: Person, actor: PeerActor, note: Document): Promise<Entity> {
  const socket = await person.stream('user')
  await actor.send(server, actor.create(note))
  const { payload } = await socket.next('notification', message => {
    const { status } = entity(message.payload)
    return status !== undefined && entity(status)['uri'] === note['id']
  })
  return entity(entity(payload)['status'])
}

/** Waits until all that an actor has sent is processed; a status that mentions the person. */
export const settle = (server: TestServer, person: Person, actor: PeerActor): Promise<Entity> =>
  deliver(server, person, actor, noteTo(server, person, actor, 'settled'))

export const accountOf = (status: Entity): Entity => entity(status['account'])

/** The local id of an account of a peer that is known. */
export async function idOfActor(server: TestServer, actor: PeerActor): Promise<string> {
  const [row] = await sql(server, `select id::text from accounts where uri = $1`, [actor.uri])
  return String(row?.['id'])
}

/** A local person follows an account of a peer, which accepts. */
export async function followActor(server: TestServer, person: Person, actor: PeerActor): Promise<void> {
  const { id } = accountOf(await settle(server, person, actor))
  await person.post(`/api/v1/accounts/${id}/follow`)
  const follow = { type: 'Follow', actor: localUri(server, person.id), object: actor.uri }
  await actor.send(server, actor.activity('Accept', follow))
  await settle(server, person, actor)
}
