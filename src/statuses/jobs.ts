import { notifyMany } from './notify.ts'
import { publishScheduled } from './publish_scheduled.ts'
import { deleteRest, purgeStatuses, removeMedia } from './purge.ts'

export const jobs = [purgeStatuses, deleteRest, removeMedia, notifyMany, publishScheduled]
