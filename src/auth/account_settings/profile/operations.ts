import { changePrivacy, showPrivacy } from './privacy.ts'
import { changeProfile, removePicture, showProfile } from './profile.ts'

export const operations = [showProfile, changeProfile, removePicture, showPrivacy, changePrivacy]
