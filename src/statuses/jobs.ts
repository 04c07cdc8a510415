import { notifyMany } from './notify.ts'
import { purgeStatuses, removeMedia } from './purge.ts'

export const jobs = [purgeStatuses, removeMedia, notifyMany]
