/** What the server tells everybody. */
export { renderAnnouncements, renderPublicAnnouncement, renderReactionEvent } from './render.ts'
