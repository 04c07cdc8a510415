/** Invites: links for signing up. */
export {
  deactivateInvites,
  findInviter,
  issueInvite,
  listIssuedInvites,
  revokeInvite,
  type IssuedInvite,
} from './invite.ts'
export { LIFETIMES, MAX_USES } from './page.ts'
