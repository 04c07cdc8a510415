import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, fragmentUri } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findVotes = query(
  'federation/send/votes',
  { account: c.id, poll: c.id, choices: c.integers },
  { id: c.id, option: c.nullable(c.text), uri: c.nullable(c.text), author: c.text, inbox_url: c.text },
)

interface Votes {
  readonly account: Id
  readonly poll: Id
  readonly choices: number[]
}

function parse(payload: unknown): Votes {
  const choices = memberOf(payload, 'choices')
  if (!Array.isArray(choices)) throw new Error('the payload has no choices')
  return {
    account: idIn(payload, 'account'),
    poll: idIn(payload, 'poll'),
    choices: choices.filter(choice => typeof choice === 'number'),
  }
}

/** Sends the author of a remote poll the votes of a local account, each as a private Note. */
export const sendVotes = job(
  'federation.send_votes',
  parse,
  async ({ account, poll, choices }, { database, config }: Services) => {
    const { publicUrl } = config
    const actor = actorUri(publicUrl, account)
    const votes = await database.run(findVotes, { account, poll, choices })
    await database.transaction(async transaction => {
      for (const { id: number, option, uri, author, inbox_url: inbox } of votes) {
        if (option === null || uri === null) continue
        const id = fragmentUri(publicUrl, account, 'votes', number)
        const note = { id, type: 'Note', name: option, attributedTo: actor, inReplyTo: uri, to: author }
        const activity = { id: `${id}/activity`, type: 'Create', actor, to: author, object: note }
        await sendActivity(transaction, { sender: account, object: uri, activity, inboxes: [inbox] })
      }
    })
  },
)
