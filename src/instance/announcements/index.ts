/** What the server tells everybody. */
export { renderAnnouncements, renderPublicAnnouncement, renderReactionEvent } from './render.ts'
export {
  createAnnouncement,
  deleteAnnouncement,
  editAnnouncement,
  publishAnnouncement,
  type AnnouncementDraft,
} from './write.ts'
