import type { Services } from '../services.ts'
import { MailFailure } from './failure.ts'
import type { Email } from './mail.ts'

/**
 * Sends the e-mail of a job. One that was refused for good, or may have arrived, is not sent again
 * by another attempt, which could also make its link invalid; a warning is logged.
 * @throws MailFailure when it certainly was not sent and another attempt may succeed
 */
export async function sendFromJob({ mail, logger }: Pick<Services, 'mail' | 'logger'>, email: Email): Promise<void> {
  try {
    await mail.send(email)
  } catch (error) {
    const kind = error instanceof MailFailure ? error.kind : 'server'
    if (kind === 'later' || kind === 'server') throw error
    logger.warn({ err: error, kind }, 'an e-mail is not sent again')
  }
}
