import { acceptRequests } from './follow_requests.ts'
import { endMutes } from './mute.ts'
import { removePictures } from './picture.ts'
import { verifyFields } from './verify_fields.ts'

/** What the domain leaves for later. */
export const jobs = [acceptRequests, endMutes, removePictures, verifyFields]
