/** Two-factor authentication: codes of an authenticator app, and recovery codes. */
export { hasCodes } from './factor.ts'
export { checkSecondFactor, PENDING_MS } from './check.ts'
