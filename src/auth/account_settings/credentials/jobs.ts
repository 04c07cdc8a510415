import { sendReset } from './reset_email.ts'

/** What the domain leaves for later. */
export const jobs = [sendReset]
