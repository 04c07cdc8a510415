/** Signing in, and what people see of it. */
export { browserList } from './browsers.ts'
export { checkGuardedLogin } from './guarded_login.ts'
