import { notifyMany } from './notify.ts'
import { publishScheduled } from './publish_scheduled.ts'
import { purgeStatuses, removeMedia } from './purge.ts'

export const jobs = [purgeStatuses, removeMedia, notifyMany, publishScheduled]
