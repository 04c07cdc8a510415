import { acceptRequests } from './follow_requests.ts'
import { endMutes } from './mute.ts'

export const jobs = [acceptRequests, endMutes]
