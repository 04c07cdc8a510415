/** Invites: links for signing up. */
export { createInvite, expireInvite, listInvites, type Invite, type InviteTerms } from './invite.ts'
