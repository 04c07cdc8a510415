import { sendReset } from './reset_email.ts'

/** Background jobs of this folder. */
export const jobs = [sendReset]
