import { sever } from './sever.ts'

/** What the domain leaves for later. */
export const jobs = [sever]
