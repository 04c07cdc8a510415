import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue, idIn, job } from '../../platform/jobs/index.ts'
import { deliverOnce, type DeliveryOutcome } from '../../platform/mail/index.ts'
import type { Recipient } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'
import { findMember } from './member.ts'
import { composeMailing, readContent, type MailingContent, type MailingSubject } from './compose.ts'

const findMailing = query(
  'instance/mailings/find',
  { mailing: c.id },
  {
    terms_id: c.nullable(c.id),
    announcement_id: c.nullable(c.id),
    reached_user_id: c.id,
    created_at: c.timestamp,
    finished_at: c.nullable(c.timestamp),
  },
)
const findRecipients = query(
  'instance/mailings/recipients',
  { after: c.id, since: c.timestamp, limit: c.integer },
  { id: c.id, email: c.text, locale: c.nullable(c.text), username: c.text },
)
const advance = query(
  'instance/mailings/advance',
  { mailing: c.id, from: c.id, reached: c.id, sent: c.integer, finished: c.boolean },
  { id: c.id },
)
const stop = query('instance/mailings/stop', { mailing: c.id }, {})
const countSent = query('instance/mailings/count_sent', { mailing: c.id }, {})

const BATCH_SIZE = 100
/** Confirmations and notifications are sent before. */
const PRIORITY = 10
const SOON_MS = 60_000

interface Mailing {
  readonly id: Id
  readonly subject: MailingSubject
  readonly content: MailingContent
  /** The last member of the previous batch. */
  readonly reached: Id
  readonly startedAt: Date
  readonly finished: boolean
}

/** Undefined when its subject was deleted or is no longer published. */
async function readMailing({ database }: Services, id: Id): Promise<Mailing | undefined> {
  const row = await database.one(findMailing, { mailing: id })
  if (!row) return undefined
  const { terms_id: terms, announcement_id: announcement } = row
  const subject: MailingSubject | undefined =
    terms !== null
      ? { kind: 'terms', id: terms }
      : announcement !== null
        ? { kind: 'announcement', id: announcement }
        : undefined
  const content = subject && (await readContent(database, subject))
  return (
    subject &&
    content && {
      id,
      subject,
      content,
      reached: row.reached_user_id,
      startedAt: row.created_at,
      finished: row.finished_at !== null,
    }
  )
}

const deliver = (services: Services, mailing: Mailing, user: Id, recipient: Recipient): Promise<DeliveryOutcome> =>
  deliverOnce(services, {
    mailing: `members:${mailing.id}`,
    recipient: user,
    email: composeMailing(services, mailing.subject, mailing.content, recipient),
  })

/** Sends an e-mail to one member whose address was temporarily refused. */
const sendMailingAgain = job<{ mailing: Id; user: Id }, Services>(
  'member_mailings.send_again',
  payload => ({ mailing: idIn(payload, 'mailing'), user: idIn(payload, 'user') }),
  async ({ mailing: id, user }, services) => {
    const { database } = services
    const mailing = await readMailing(services, id)
    const recipient = mailing && (await findMember(database, user))
    if (!recipient) return
    const outcome = await deliver(services, mailing, user, recipient)
    if (outcome === 'later') throw new Error('the address was refused for now')
    if (outcome === 'sent') await database.run(countSent, { mailing: id })
  },
  { priority: PRIORITY },
)

/**
 * Sends the e-mails of a mailing to the next members, and enqueues itself for those after them.
 * When the mail server cannot be reached, the batch is repeated, without those that were sent. It
 * ends early when its subject is no longer published.
 */
export const sendMailing = job<{ mailing: Id }, Services>(
  'member_mailings.send',
  payload => ({ mailing: idIn(payload, 'mailing') }),
  async ({ mailing: id }, services, { signal }) => {
    const { database } = services
    const mailing = await readMailing(services, id)
    if (!mailing) return void (await database.run(stop, { mailing: id }))
    if (mailing.finished) return
    const { reached: from, startedAt } = mailing
    const recipients = await database.run(findRecipients, { after: from, since: startedAt, limit: BATCH_SIZE })
    let sent = 0
    for (const { id: user, ...recipient } of recipients) {
      signal.throwIfAborted()
      const outcome = await deliver(services, mailing, user, recipient)
      if (outcome === 'sent' || outcome === 'repeated') sent += 1
      if (outcome === 'later') {
        const options = { key: `member_mailings:${id}:${user}`, at: new Date(Date.now() + SOON_MS) }
        await enqueue(database, sendMailingAgain, { mailing: id, user }, options)
      }
    }
    const finished = recipients.length < BATCH_SIZE
    const reached = recipients.at(-1)?.id ?? from
    await database.transaction(async transaction => {
      const recorded = await transaction.one(advance, { mailing: id, from, reached, sent, finished })
      if (recorded && !finished) await enqueue(transaction, sendMailing, { mailing: id })
    })
  },
  { priority: PRIORITY },
)

export const jobs = [sendMailing, sendMailingAgain]
