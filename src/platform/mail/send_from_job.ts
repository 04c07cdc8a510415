import type { Services } from '../services.ts'
import { MailFailure, type MailFailureKind } from './failure.ts'
import type { Email } from './mail.ts'

/**
 * Sends the e-mail of a job. One that was refused for good, or may have arrived, is not sent again
 * by another attempt, which could also make its link invalid; a warning is logged.
 * @returns the kind of such a failure
 * @throws MailFailure when it certainly was not sent and another attempt may succeed
 */
export async function sendFromJob(
  { mail, logger }: Pick<Services, 'mail' | 'logger'>,
  email: Email,
): Promise<MailFailureKind | undefined> {
  try {
    await mail.send(email)
    return undefined
  } catch (error) {
    const kind = error instanceof MailFailure ? error.kind : 'server'
    if (kind === 'later' || kind === 'server') throw error
    logger.warn({ err: error, kind }, 'an e-mail is not sent again')
    return kind
  }
}
