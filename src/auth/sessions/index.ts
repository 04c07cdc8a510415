/** Browser sessions: who is signed in, and the state of a browser between pages. */
export { addressOf, isLocalPath } from './cookie_state.ts'
export { seal, sign, unseal } from './signed_cookie.ts'
export type { PendingLogin } from './cookie_state.ts'
export { describeBrowser, timeOf } from './describe.ts'
export { requiredStep } from './required_step.ts'
export { cleanUserAgent, endOtherSessions, endSessionOf, findBrowserUser, listSessions } from './session.ts'
export { holdSession, holdToken, lockUser, type Session } from './session.ts'
export { openWebSession, type WebSession } from './web_session.ts'
