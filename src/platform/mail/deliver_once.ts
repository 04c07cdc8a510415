import type { Id } from '../../core/id.ts'
import { c, query } from '../database/index.ts'
import type { Services } from '../services.ts'
import { MailFailure } from './failure.ts'
import type { Email } from './mail.ts'

const claim = query('platform/mail/claim', { mailing: c.text, recipient: c.id }, { recipient_id: c.id })
const release = query('platform/mail/release', { mailing: c.text, recipient: c.id }, {})

/** One e-mail of a mailing to many recipients. */
export interface Delivery {
  /** Names the mailing, such as `status:ID`. */
  readonly mailing: string
  readonly recipient: Id
  readonly email: Email
}

/**
 * - sent: now
 * - repeated: another run has sent it, or was interrupted when it was about to
 * - lost: it was refused permanently, or may have arrived
 * - refused: the recipient was refused permanently
 * - later: it was refused for now and should be tried again
 */
export type DeliveryOutcome = 'sent' | 'repeated' | 'lost' | 'refused' | 'later'

/**
 * Sends an e-mail of a mailing unless it was sent before. The attempt is recorded first, and the
 * record removed when the e-mail certainly was not sent, so that none is sent twice even if a
 * process is killed.
 * @throws MailFailure when the mail server cannot be reached: nothing was sent
 */
export async function deliverOnce(
  { database, mail, logger }: Pick<Services, 'database' | 'mail' | 'logger'>,
  { mailing, recipient, email }: Delivery,
): Promise<DeliveryOutcome> {
  if (!(await database.one(claim, { mailing, recipient }))) return 'repeated'
  try {
    await mail.send(email)
    return 'sent'
  } catch (error) {
    const kind = error instanceof MailFailure ? error.kind : 'server'
    if (kind === 'recipient') return 'refused'
    if (kind === 'message' || kind === 'unknown') {
      logger.warn({ err: error, mailing, recipient, kind }, 'an e-mail is not sent again')
      return 'lost'
    }
    await database.run(release, { mailing, recipient })
    if (kind === 'later') return 'later'
    throw error
  }
}
