/** Applications: what people use the API with. */
export { findApplication, type Application } from './application.ts'
export { authenticateClient, findClient, presentedCredentials, type Client, type Credentials } from './client.ts'
export { isOutOfBand, matchesRedirectUri } from './redirect_uri.ts'
