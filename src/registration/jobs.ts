import { cleanSignUps } from './clean.ts'

/** What the domain leaves for later. */
export const jobs = [cleanSignUps]
