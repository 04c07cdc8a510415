import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatus } from '../../statuses/index.ts'
import { fetchDocument } from '../fetch/index.ts'
import type { JsonObject } from '../protocol/index.ts'
import { readNote } from './note.ts'
import { inReceipt, readAuthor } from './receiving.ts'
import { knownStatus } from './references.ts'
import { updateStatus } from './update.ts'

const findUri = query(
  'federation/receive/refreshable',
  { status: c.id },
  { account_id: c.id, uri: c.text, open: c.boolean, signer: c.nullable(c.id) },
)

/**
 * Fetches a stored status of another server, in the name of somebody who may see it, and changes it
 * to what its server says; removes it when its server says that it is not there any more: one that
 * not everybody may see only if it says that it is gone for good.
 * @returns its document
 * @throws OutgoingFailure
 */
export async function fetchAgain(services: Services, status: Id): Promise<JsonObject | undefined> {
  const found = await services.database.one(findUri, { status })
  const author = found && (await readAuthor(services, found.account_id))
  if (!author) return undefined
  const fetched = await fetchDocument(services, found.uri, { signer: found.signer ?? undefined })
  if (fetched.outcome === 'gone' || (fetched.outcome === 'missing' && found.open))
    await inReceipt(services, transaction => removeStatus(transaction, author.id, status))
  if (fetched.outcome !== 'document') return undefined
  const note = await readNote(fetched.document, author)
  const known = note?.uri === found.uri ? await knownStatus(services, services.database, note.uri) : undefined
  if (!note || known?.id !== status) return undefined
  await updateStatus(services, author, known, note)
  return fetched.document
}

/** @throws OutgoingFailure */
export const refreshStatus = async (services: Services, status: Id): Promise<void> =>
  void (await fetchAgain(services, status))
