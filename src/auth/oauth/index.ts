/** OAuth 2: issues, finds and revokes tokens; `apps/` registers applications. */
export { issueToken } from './issue.ts'
export { revokeAll } from './revoke_tokens.ts'
