import type { Services } from '../../platform/services.ts'
import { removeStatus } from '../../statuses/index.ts'
import { removeActor } from '../remote_accounts/index.ts'
import { idOf, sameHost } from '../terms/index.ts'
import { withdrawFeature } from './feature_answers.ts'
import { withdrawQuote } from './quote_answers.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { removeCollection } from './remote_collections.ts'
import { knownStatus } from './references.ts'
import { storeTombstone } from './tombstones.ts'

/**
 * Delete: of the actor itself, of one of its statuses, boosts or collections, or of its permission
 * to quote or to be in a collection. It may come before what it deletes.
 */
export async function receiveDelete(services: Services, { activity, author, actorUri }: Receiving): Promise<void> {
  const uri = idOf(activity['object'])
  if (uri === undefined || !sameHost(uri, actorUri)) return
  if (uri === actorUri) return removeActor(services, author.id)
  await inReceipt(services, async transaction => {
    await storeTombstone(transaction, uri)
    const status = await knownStatus(services, transaction, uri)
    if (status?.account_id === author.id) await removeStatus(transaction, author.id, status.id)
    else if (!status) {
      await withdrawQuote(transaction, author.id, uri)
      await withdrawFeature(transaction, author.id, uri)
      await removeCollection(transaction, author.id, uri)
    }
  })
}
