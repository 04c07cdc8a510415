import type { Job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

/** Background jobs of this district. */
export const jobs: readonly Job<unknown, Services>[] = []
