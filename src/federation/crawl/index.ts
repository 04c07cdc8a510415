/** Reads public information of other servers by Mastodon's API. */
export { fetchPeers, fetchInstance, type RemoteInstance } from './remote_instance.ts'
