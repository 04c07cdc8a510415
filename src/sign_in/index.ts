/** Signing in. */
export { failuresOf, noteFailure } from './failures.ts'
export { checkGuardedLogin } from './guarded-login.ts'
