import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatus } from '../../statuses/index.ts'
import { removeActor } from '../remote_accounts/index.ts'
import { idOf, sameHost } from '../terms/index.ts'
import { withdrawFeature } from './feature_answers.ts'
import { withdrawQuote } from './quote_answers.ts'
import type { Receiving } from './receiving.ts'
import { removeCollection } from './remote_collections.ts'
import { isBounded } from './references.ts'

const beginDeletion = query(
  'federation/receive/begin_deletion',
  { uri: c.text },
  { receiving: c.text, id: c.nullable(c.id), account_id: c.nullable(c.id) },
)

/**
 * Delete: of the actor itself, of one of its statuses, boosts or collections, or of its permission
 * to quote or to be in a collection. It may come before what it deletes.
 */
export async function receiveDelete(services: Services, { activity, author, actorUri }: Receiving): Promise<void> {
  const uri = idOf(activity['object'])
  if (uri === undefined || !sameHost(uri, actorUri)) return
  if (uri === actorUri) return removeActor(services, author.id)
  if (!isBounded(uri)) return
  await services.database.transaction(async transaction => {
    const found = await transaction.one(beginDeletion, { uri })
    const status = found?.id ?? undefined
    if (status === undefined) {
      await withdrawQuote(transaction, author.id, uri)
      await withdrawFeature(transaction, author.id, uri)
      await removeCollection(transaction, author.id, uri)
    } else if (found?.account_id === author.id) await removeStatus(transaction, author.id, status)
  })
}
