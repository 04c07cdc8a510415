/** OAuth 2: issues, finds and revokes tokens; `apps/` registers applications. */
export { applicationAt } from './authorize.ts'
export { issueToken } from './issue.ts'
export { revokeAll } from './revoke_tokens.ts'
