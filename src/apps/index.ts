export { authenticateClient, findClient, presentedCredentials, type Client, type Credentials } from './client.ts'
export { isOutOfBand, matchesRedirectUri } from './redirect-uri.ts'
