/** What people look up on other servers: handles and URLs. */
export { openRemoteLookup } from './remote_lookup.ts'
