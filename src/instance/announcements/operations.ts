import { addReaction, removeReaction } from './react.ts'
import { dismissAnnouncement, showAnnouncements } from './show.ts'

export const operations = [showAnnouncements, dismissAnnouncement, addReaction, removeReaction]
