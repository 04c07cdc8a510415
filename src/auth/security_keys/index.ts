/** Security keys (WebAuthn): second factors in addition to one-time codes, which remain valid. */
export { checkSecurityKey, hasSecurityKeys, startAssertion } from './assertion.ts'
export { keyProblem } from './key_problem.ts'
export { SCRIPT } from './script.ts'
