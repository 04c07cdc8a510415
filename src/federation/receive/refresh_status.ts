import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatus } from '../../statuses/index.ts'
import { fetchDocument, orOutgoingFailure, withDiscoveryBudget } from '../fetch/index.ts'
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

const MINUTE_MS = 60_000
const SOONEST_MS = 10_000
/** How long after the first attempt the others are made when the author's server is away. */
const RETRY_MINUTES = [0, 10, 60, 600]

interface Report {
  readonly status: Id
  /** How often the author's server was away since. */
  readonly failures: number
}

/** Fetches a status again whose edit or deletion somebody else reports. */
export const refreshReported = job<Report, Services>(
  'federation.refresh_status',
  payload => ({ status: idIn(payload, 'status'), failures: Number(memberOf(payload, 'failures')) }),
  ({ status, failures }, services) =>
    withDiscoveryBudget(async () => {
      const refetched = await orOutgoingFailure(refetchStatus(services, status))
      if (refetched instanceof OutgoingFailure) await enqueueRefresh(services, status, failures + 1)
    }),
  { attempts: 4, priority: 20 },
)

/**
 * Has a status fetched again some seconds later, when its server has the change, and not more than
 * once a minute, however many report one.
 */
export async function enqueueRefresh({ database }: Services, status: Id, failures = 0): Promise<void> {
  const minutes = RETRY_MINUTES[failures]
  if (minutes === undefined) return
  // All reports within a minute lead to the same time and key. Each status has its own second, so
  // that not all are requested at the same moment.
  const offset = Number(BigInt(status) % BigInt(MINUTE_MS))
  const minute = Math.ceil((Date.now() + SOONEST_MS - offset) / MINUTE_MS) + minutes
  const at = new Date(minute * MINUTE_MS + offset)
  const key = `federation.refresh_status:${status}:${minute}`
  await enqueue(database, refreshReported, { status, failures }, { at, key })
}
