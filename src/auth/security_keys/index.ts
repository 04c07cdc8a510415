/**
 * Security keys (WebAuthn): second factors beside one-time codes, which stay as the other way in.
 */
export { checkSecurityKey, hasSecurityKeys, startAssertion } from './assertion.ts'
export { keyProblem } from './key_problem.ts'
export { SCRIPT } from './script.ts'
