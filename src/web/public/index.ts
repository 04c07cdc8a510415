/** Public pages: statuses, profiles, hashtags, and the pages about the server. */
export { originsOf, parseAccount, parseStatus, type ShownAccount, type ShownStatus } from './entities.ts'
export { showFacts, showLanding } from './landing.ts'
export { showProfile } from './profile_page.ts'
export { robots, siteCard } from './open_graph.ts'
export { STYLE } from './style.ts'
export { showPublicly } from './public_page.ts'
export { nameOf, statusParts } from './status_html.ts'
