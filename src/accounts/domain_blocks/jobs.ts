import { sever } from './sever.ts'

/** Background jobs of this folder. */
export const jobs = [sever]
