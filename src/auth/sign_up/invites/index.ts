/** Invites: links for signing up. */
export { createInvite, expireInvite, listInvites } from './invite.ts'
