/** What the server tells everybody. */
export { publishAnnouncements } from './jobs.ts'
export { renderAnnouncements, renderPublicAnnouncement, renderReactionEvent } from './render.ts'
