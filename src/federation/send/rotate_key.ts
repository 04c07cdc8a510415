import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorObject, findActor } from '../documents/index.ts'
import { createKeyPair, replaceKeyPair } from '../keys/index.ts'
import { actorUri, keyUri, PUBLIC } from '../protocol/index.ts'
import { findAccountInboxes } from './account_inboxes.ts'
import { sendLowPriority } from './send_activity.ts'

const findAccounts = query(
  'federation/send/local_signers',
  { after: c.id, before: c.timestamp, limit: c.integer },
  { id: c.id },
)

const BATCH_SIZE = 500

/** Local accounts with a key pair from before a time. The first signature makes a pair. */
export async function* listLocalSigners({ database }: Services, before: Date): AsyncGenerator<{ id: Id }> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(findAccounts, { after, before, limit: BATCH_SIZE })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/**
 * Replaces the key pair of a local account, and sends other servers an Update that the old key
 * signs, as a proof that the new key is authentic.
 */
export async function rotateKey(services: Services, account: Id): Promise<void> {
  const { database, config } = services
  const row = await findActor(services, account)
  if (!row || row.state === 'going' || row.state === 'deleted') return
  const keyPair = await createKeyPair(services, account)
  const actor = actorUri(config.publicUrl, account)
  const publicKey = { id: keyUri(actor), owner: actor, publicKeyPem: keyPair.public_key }
  const object = { ...(await actorObject(services, row)), publicKey }
  const activity = { id: `${actor}#updates/keys/${Date.now()}`, type: 'Update', actor, to: [PUBLIC], object }
  const found = await database.run(findAccountInboxes, { account, everybody: false })
  const inboxes = found.map(({ inbox }) => inbox)
  await database.transaction(async transaction => {
    const previous = await replaceKeyPair(transaction, account, keyPair)
    if (!previous) return
    await sendLowPriority(transaction, { sender: account, object: actor, activity, inboxes, signingKey: previous })
  })
}

interface Rotation {
  /** Newer keys are kept. */
  readonly before: Date
  readonly signal: AbortSignal
  /** Called after each account. */
  each(): Promise<void>
}

/**
 * Replaces the key pairs of all local accounts that have any.
 * @throws the signal's reason
 */
export async function rotateKeys(services: Services, { before, signal, each }: Rotation): Promise<void> {
  for await (const { id } of listLocalSigners(services, before)) {
    signal.throwIfAborted()
    await rotateKey(services, id)
    await each()
  }
}
