/** OAuth applications: the clients of the API. */
export { findApplication } from './application.ts'
export { authenticateClient, findClient, presentedCredentials, type Client, type Credentials } from './client.ts'
export { isOutOfBand, matchesRedirectUri } from './redirect_uri.ts'
