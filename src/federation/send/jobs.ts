import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { deliver } from './deliver.ts'
import { sendAccount } from './send_account.ts'
import { sendCollection } from './send_collection.ts'
import { sendFeatureRequest } from './send_feature_request.ts'
import { sendFeatured } from './send_featured.ts'
import { sendFlag } from './send_flag.ts'
import { sendFollows } from './send_follows.ts'
import { sendLeftCollection } from './send_left_collection.ts'
import { sendLike } from './send_like.ts'
import { sendMove } from './send_move.ts'
import { sendPoll } from './send_poll.ts'
import { sendQuoteRequest } from './send_quote_request.ts'
import { sendRelation } from './send_relation.ts'
import { sendRevocation } from './send_revocation.ts'
import { sendStatus } from './send_status.ts'
import { sendVotes } from './send_votes.ts'

const removeOld = query('federation/send/remove_finished', {}, {})
const removeKeys = query('federation/send/remove_keys', {}, {})

/** Deletes outgoing activities whose deliveries are finished, and the keys that signed the last. */
const removeFinished = job(
  'federation.remove_finished',
  () => null,
  async (_, { database }: Services) => {
    await database.run(removeOld, {})
    await database.run(removeKeys, {})
  },
  { cron: '23 5 * * *', attempts: 3 },
)

export const jobs = [
  sendRelation,
  sendLike,
  sendStatus,
  sendVotes,
  sendPoll,
  sendQuoteRequest,
  sendRevocation,
  sendFeatured,
  sendCollection,
  sendFeatureRequest,
  sendMove,
  sendLeftCollection,
  sendFlag,
  sendFollows,
  sendAccount,
  deliver,
  removeFinished,
]
