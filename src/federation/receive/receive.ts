import type { Services } from '../../platform/services.ts'
import { activityTypeOf, type ActivityType } from '../protocol/index.ts'
import { receiveAdd, receiveRemove } from './featured.ts'
import { receiveAnnounce } from './announce.ts'
import { receiveBlock } from './block.ts'
import { receiveCreate } from './create.ts'
import { receiveDelete } from './delete.ts'
import { receiveFeatureRequest } from './feature_request.ts'
import { receiveFlag } from './flag.ts'
import { receiveAccept, receiveFollow, receiveReject } from './follow.ts'
import { receiveLike } from './like.ts'
import { receiveMove } from './move.ts'
import { readAuthor, type VerifiedActivity, type IncomingActivity } from './incoming_activity.ts'
import { receiveQuoteRequest } from './quote_request.ts'
import { receiveUndo } from './undo.ts'
import { receiveUpdate } from './update.ts'

type Handler = (services: Services, incoming: IncomingActivity) => Promise<void>

/** The handler of each type of activity. */
const HANDLERS: Readonly<Record<ActivityType, Handler>> = {
  Accept: receiveAccept,
  Add: receiveAdd,
  Announce: receiveAnnounce,
  Block: receiveBlock,
  Create: receiveCreate,
  Delete: receiveDelete,
  FeatureRequest: receiveFeatureRequest,
  Flag: receiveFlag,
  Follow: receiveFollow,
  Like: receiveLike,
  Move: receiveMove,
  QuoteRequest: receiveQuoteRequest,
  Reject: receiveReject,
  Remove: receiveRemove,
  Undo: receiveUndo,
  Update: receiveUpdate,
}

/**
 * Processes an activity whose actor has been verified. Processing it twice, or activities in
 * another order, has the same effect.
 * @throws OutgoingFailure, ApiError when another attempt may succeed
 */
export async function receiveActivity(services: Services, received: VerifiedActivity): Promise<void> {
  const type = activityTypeOf(received.activity)
  const handler = type && HANDLERS[type]
  const known = received.prefetched?.senders.get(received.actorUri)
  const author = handler && (known ?? (await readAuthor(services, received.actor)))
  if (handler && author) await handler(services, { ...received, author })
}
