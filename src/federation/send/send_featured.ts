import { randomUUID } from 'node:crypto'
import { tagUrl } from '../../core/text/index.ts'
import { parseId } from '../../core/id.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, noteUri, payloadUri } from '../protocol/index.ts'
import { findFollowersInboxes } from './followers_inboxes.ts'
import { sendActivity } from './send_activity.ts'

const textIn = (payload: unknown, name: string): string | undefined => {
  const value = memberOf(payload, name)
  return typeof value === 'string' ? value : undefined
}

/**
 * Sends remote followers an Add or Remove when a local account changes what its profile features.
 */
export const sendFeatured = job(
  'federation.send_featured',
  payload => ({
    ended: memberOf(payload, 'ended') === true,
    account: idIn(payload, 'account'),
    status: parseId(textIn(payload, 'status') ?? ''),
    tag: textIn(payload, 'tag'),
  }),
  async ({ ended, account, status, tag }, { database, config }: Services) => {
    const { publicUrl } = config
    const inboxes = (await database.run(findFollowersInboxes, { accounts: [account], without: '' })).map(
      row => row.inbox,
    )
    if (inboxes.length === 0) return
    const actor = actorUri(publicUrl, account)
    const target = `${actor}/collections/featured`
    const hashtag = (name: string) => ({ type: 'Hashtag', href: tagUrl(name, publicUrl), name: `#${name}` })
    const object = status === undefined ? hashtag(tag ?? '') : noteUri(publicUrl, account, status)
    const id = payloadUri(publicUrl, randomUUID())
    const activity = { id, type: ended ? 'Remove' : 'Add', actor, target, object }
    await sendActivity(database, { sender: account, object: target, activity, inboxes })
  },
)
