/** Looks up handles and URLs on other servers. */
export { openRemoteLookup } from './remote_lookup.ts'
