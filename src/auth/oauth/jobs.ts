import { trimSignIns } from './trim.ts'

/** Background jobs of this folder. */
export const jobs = [trimSignIns]
