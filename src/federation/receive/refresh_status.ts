import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatus } from '../../statuses/index.ts'
import { fetchDocument } from '../fetch/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import { readNote } from './note.ts'
import { receivingTransaction, readAuthor } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { updateStatus } from './update.ts'

const findUri = query(
  'federation/receive/refreshable',
  { status: c.id },
  { account_id: c.id, uri: c.text, listed: c.boolean, signer: c.nullable(c.id) },
)

/**
 * Fetches a stored status of another server again, signed by a local account that may see it, and
 * applies the changes. Removes the status after a 410, and a public or unlisted one after a 404.
 * @returns its document; undefined when there is none
 * @throws OutgoingFailure
 */
export async function refetchStatus(services: Services, status: Id): Promise<JsonObject | undefined> {
  const found = await services.database.one(findUri, { status })
  const author = found && (await readAuthor(services, found.account_id))
  if (!author) return undefined
  const fetched = await fetchDocument(services, found.uri, { signer: found.signer ?? undefined })
  if (fetched.outcome === 'gone' || (fetched.outcome === 'missing' && found.listed))
    await receivingTransaction(services, transaction => removeStatus(transaction, author.id, status))
  if (fetched.outcome !== 'document') return undefined
  const note = await readNote(fetched.document, author)
  const known = note?.uri === found.uri ? await findStatusByUri(services, services.database, note.uri) : undefined
  if (!note || known?.id !== status) return undefined
  await updateStatus(services, author, known, note)
  return fetched.document
}

/** @throws OutgoingFailure */
export const refreshStatus = async (services: Services, status: Id): Promise<void> =>
  void (await refetchStatus(services, status))
