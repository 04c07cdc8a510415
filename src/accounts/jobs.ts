import { acceptRequests } from './follow_requests.ts'
import { endMutes } from './mute.ts'
import { removePictures } from './picture.ts'
import { verifyFields } from './verify_fields.ts'

/** Background jobs of this folder. */
export const jobs = [acceptRequests, endMutes, removePictures, verifyFields]
