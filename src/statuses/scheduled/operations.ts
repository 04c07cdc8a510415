import { cancelScheduledStatus } from './cancel.ts'
import { moveScheduledStatus } from './move.ts'
import { showScheduledStatus, showScheduledStatuses } from './show.ts'

export const operations = [showScheduledStatuses, showScheduledStatus, moveScheduledStatus, cancelScheduledStatus]
