import { makeReport } from './make.ts'

/** Background jobs of this folder. */
export const jobs = [makeReport]
