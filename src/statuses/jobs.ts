import { purgeStatuses, removeMedia } from './purge.ts'

export const jobs = [purgeStatuses, removeMedia]
