/** Limits on failed passwords and codes within an hour, across all processes. */
export { limitAttempts } from './limit_attempts.ts'
