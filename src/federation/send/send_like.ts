import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, fragmentUri } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findLiked = query(
  'federation/send/liked_status',
  { status: c.id },
  { uri: c.nullable(c.text), inbox_url: c.text },
)

interface Like {
  readonly ended: boolean
  readonly id: Id
  readonly account: Id
  readonly status: Id
}

/** Sends the author's server the Like of a local account, or its Undo. */
export const sendLike = job(
  'federation.send_like',
  (payload): Like => ({
    ended: memberOf(payload, 'ended') === true,
    id: idIn(payload, 'id'),
    account: idIn(payload, 'account'),
    status: idIn(payload, 'status'),
  }),
  async ({ ended, id, account, status }, { database, config }: Services) => {
    const liked = await database.one(findLiked, { status })
    if (!liked || liked.uri === null) return
    const { publicUrl } = config
    const actor = actorUri(publicUrl, account)
    const like = { id: fragmentUri(publicUrl, account, 'likes', id), type: 'Like', actor, object: liked.uri }
    const activity = ended ? { id: `${like.id}/undo`, type: 'Undo', actor, object: like } : like
    const object = `${actor} ${liked.uri}`
    await sendActivity(database, { sender: account, object, activity, inboxes: [liked.inbox_url] })
  },
)
