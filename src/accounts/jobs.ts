import { acceptRequests } from './follow_requests.ts'
import { endMutes } from './mute.ts'
import { removePictures } from './picture.ts'
import { welcome } from './sign_up/activate.ts'
import { sendConfirmation } from './sign_up/confirmation.ts'
import { verifyFields } from './verify_fields.ts'

/** What the domain leaves for later. */
export const jobs = [acceptRequests, endMutes, removePictures, sendConfirmation, welcome, verifyFields]
