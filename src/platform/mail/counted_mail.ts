import { MailFailure, type MailFault } from './failure.ts'
import type { Mail } from './mail.ts'

/** What became of an attempt to send an e-mail: sent, written to a file, or the fault. */
export type MailOutcome = 'sent' | 'file' | MailFault

/** Reports the outcome of each attempt. */
export const countedMail = (mail: Mail, count: (outcome: MailOutcome) => void): Mail => ({
  async send(email) {
    try {
      const delivery = await mail.send(email)
      count('file' in delivery ? 'file' : 'sent')
      return delivery
    } catch (error) {
      count(error instanceof MailFailure ? error.fault : 'server')
      throw error
    }
  },
})
