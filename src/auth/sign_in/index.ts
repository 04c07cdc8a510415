/** Sign-in and its history. */
export { browserList } from './browsers.ts'
export { checkGuardedLogin } from './guarded_login.ts'
export { holdLogin } from './login.ts'
