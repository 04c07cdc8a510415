/** Browsers: who is signed in with them, and what they remember from page to page. */
export { isLocalPath } from './memory.ts'
export { sameSignature, seal, sign, unseal } from './sealed.ts'
export { describeBrowser, timeOf } from './describe.ts'
export { placeOf } from './place.ts'
export { cleanUserAgent, endOtherSessions, endSessionOf, listSessions, type Session } from './session.ts'
export { openVisit, type Visit } from './visit.ts'
