import { activityUri, actorUri, formatDateTime } from '../protocol/index.ts'
import { addressesOf } from './addresses.ts'
import type { ServerUrls } from './emojis.ts'
import { noteObject } from './note.ts'
import type { NoteRow } from './note_row.ts'
import { authorUri, statusUri } from './reference.ts'

/**
 * The activity that created a status: Create with the note, or Announce with the URI of the boosted
 * status. A boost of the author's own private status contains the note, because other servers may
 * not be able to fetch it.
 * @param own the boosted status, if it is the booster's own
 */
export function activityObject(row: NoteRow, urls: ServerUrls, own?: NoteRow): object {
  const { publicUrl } = urls
  const head = { id: activityUri(publicUrl, row.account_id, row.id), actor: actorUri(publicUrl, row.account_id) }
  const published = formatDateTime(row.created_at)
  const { boosted } = row
  if (boosted === null) {
    const addresses = addressesOf(row, row.mentions ?? [], [], publicUrl)
    return { ...head, type: 'Create', published, ...addresses, object: noteObject(row, urls) }
  }
  const addresses = addressesOf(row, [], [authorUri(boosted, publicUrl)], publicUrl)
  const embeds = own !== undefined && boosted.visibility === 'private'
  const object = embeds ? noteObject(own, urls) : statusUri(boosted, publicUrl)
  return { ...head, type: 'Announce', published, ...addresses, object }
}
