/** The one-time link of a new server, with which the owner creates an account in the browser. */
export { hasOwner, makeOwnerLink, OWNER_LINK_HOURS } from './link.ts'
