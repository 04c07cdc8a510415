import { deliver } from './deliver.ts'

/** Background jobs of webhooks. */
export const jobs = [deliver]
