import { PUBLIC, type PeerActor } from '../../support/federation/peer.ts'
import { sql } from '../../support/person.ts'
import { must, type Ground } from './ground.ts'

interface Found {
  readonly statuses: readonly {
    readonly id: string
    readonly account: { readonly id: string }
    readonly media_attachments: readonly { readonly id: string }[]
  }[]
}

/** Adds somebody on another server with a post that this one has, and what activities may name. */
export async function addPeer({ server, ids, alice, outside }: Ground): Promise<PeerActor> {
  const actor = outside.peer.actor('dora')
  const picture = { type: 'Document', mediaType: 'image/png', url: `${outside.picturesUrl}/${actor.username}.png` }
  const note = outside.peer.serve(actor.note('from afar', { attachment: [picture] }))
  const query = new URLSearchParams({ q: note.id, resolve: 'true' }).toString()
  const { statuses } = await must<Found>(alice, 'GET', `/api/v2/search?${query}`)
  for (const { id, account, media_attachments: media } of statuses) {
    ids.put('remote_status', id)
    ids.put('remote_account', account.id)
    for (const { id: file } of media) ids.put('remote_media', file)
  }
  ids.put('remote_actor', actor.uri)
  ids.put('remote_note', note.id)
  for (const number of [1, 2]) ids.put('remote_note', outside.peer.serve(actor.note(`note ${number}`)).id)
  ids.put('remote_followers', actor.followers)
  ids.put('remote_followers', PUBLIC)
  for (const kind of ['activities', 'activities', 'statuses', 'likes']) ids.put('remote_uri', actor.newUri(kind))
  const own = `${server.url}/ap/users/${alice.id}`
  ids.put('local_actor', own)
  for (const name of ['followers', 'collections/featured', 'inbox']) ids.put('local_collection', `${own}/${name}`)
  const [row] = await sql(server, 'select id::text from collections where account_id = $1', [alice.id])
  ids.put('local_collection', `${own}/collections/${String(row?.['id'])}`)
  return actor
}
