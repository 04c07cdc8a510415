/** Authorization by OAuth 2: tokens are issued, found and revoked here; `apps/` registers the applications. */
export { issueToken } from './issue.ts'
export { revokeAll } from './revoke_tokens.ts'
