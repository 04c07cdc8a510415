import { MailFailure, type MailFailureKind } from './failure.ts'
import type { Mail } from './mail.ts'

/** The outcome of an attempt to send an e-mail: sent, written to a file, or the kind of failure. */
export type MailOutcome = 'sent' | 'file' | MailFailureKind

/** Reports the outcome of each attempt. */
export const countedMail = (mail: Mail, count: (outcome: MailOutcome) => void): Mail => ({
  async send(email) {
    try {
      const delivery = await mail.send(email)
      count('file' in delivery ? 'file' : 'sent')
      return delivery
    } catch (error) {
      count(error instanceof MailFailure ? error.kind : 'server')
      throw error
    }
  },
})
