import { sendLetter } from './send.ts'

/** What the domain leaves for later. */
export const jobs = [sendLetter]
