/** Two-factor authentication: codes of an authenticator app, and recovery codes. */
export { checkSecondFactor, PENDING_MS } from './check.ts'
