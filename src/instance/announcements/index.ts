/** Announcements to all users. */
export { renderPublicAnnouncement, renderReactionEvent } from './render.ts'
export {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  publishAnnouncement,
  type AnnouncementDraft,
} from './write.ts'
