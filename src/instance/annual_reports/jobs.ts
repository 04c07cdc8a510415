import { makeReport } from './make.ts'

/** What the domain leaves for later. */
export const jobs = [makeReport]
