/** Announcements to all users. */
export { findAnnouncement, listAnnouncements, type StoredAnnouncement } from './list.ts'
export { renderPublicAnnouncement, renderReactionEvent } from './render.ts'
export {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  formatAnnouncement,
  publishAnnouncement,
  type AnnouncementDraft,
  type AnnouncementTimes,
} from './write.ts'
