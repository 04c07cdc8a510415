import { sendLetter } from './send.ts'

/** Background jobs of this folder. */
export const jobs = [sendLetter]
