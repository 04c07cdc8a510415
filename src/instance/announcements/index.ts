/** Announcements to all users. */
export { renderAnnouncements, renderPublicAnnouncement, renderReactionEvent } from './render.ts'
export {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  publishAnnouncement,
  type AnnouncementDraft,
} from './write.ts'
