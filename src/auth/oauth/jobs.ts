import { trimSignIns } from './trim.ts'

/** What the domain leaves for later. */
export const jobs = [trimSignIns]
