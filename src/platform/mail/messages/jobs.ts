import { deliverNotice } from './notice.ts'

/** What the domain leaves for later. */
export const jobs = [deliverNotice]
