/** Invites: links that people may sign up with. */
export { createInvite, expireInvite, listInvites, type Invite, type InviteTerms } from './invite.ts'
