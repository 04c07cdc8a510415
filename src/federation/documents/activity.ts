import { activityUri, actorUri, formatDateTime } from '../protocol/index.ts'
import { addressesOf } from './addresses.ts'
import type { Places } from './emojis.ts'
import { noteObject } from './note.ts'
import type { NoteRow } from './note_row.ts'
import { authorOf, uriOfReference } from './reference.ts'

/**
 * The activity that created a status: Create with the note, or Announce with the id of the boosted
 * status. A boost of one's own private status contains the note, as nobody else can fetch it.
 * @param own the boosted status, if it is the booster's own
 */
export function activityObject(row: NoteRow, places: Places, own?: NoteRow): object {
  const { publicUrl } = places
  const head = { id: activityUri(publicUrl, row.account_id, row.id), actor: actorUri(publicUrl, row.account_id) }
  const published = formatDateTime(row.created_at)
  const { boosted } = row
  if (boosted === null) {
    const addresses = addressesOf(row, row.mentions ?? [], [], publicUrl)
    return { ...head, type: 'Create', published, ...addresses, object: noteObject(row, places) }
  }
  const addresses = addressesOf(row, [], [authorOf(boosted, publicUrl)], publicUrl)
  const embeds = own !== undefined && boosted.visibility === 'private'
  const object = embeds ? noteObject(own, places) : uriOfReference(boosted, publicUrl)
  return { ...head, type: 'Announce', published, ...addresses, object }
}
