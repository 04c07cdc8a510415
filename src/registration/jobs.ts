import { guardRegistrations } from './abandoned.ts'
import { cleanSignUps } from './clean.ts'

/** What the domain leaves for later. */
export const jobs = [cleanSignUps, guardRegistrations]
