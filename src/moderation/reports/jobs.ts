import { mailReport } from './letter.ts'

/** What the domain leaves for later. */
export const jobs = [mailReport]
