import type { Id } from '../../core/id.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'

/**
 * Each message contains the access token that it is for, but only hashes of tokens are stored. The
 * client presents its token when it subscribes; a copy encrypted with a key of this server is
 * stored with the subscription, and deleted with it.
 */

const PURPOSE = 'token of a push subscription'

/** Encrypts a token for its subscription. */
export const encryptToken = (serverSecret: string, tokenId: Id, secret: string): Buffer =>
  encrypt(serverSecret, PURPOSE, tokenId, secret)

/** The token; undefined if it was not encrypted with this server's secret for this token. */
export const decryptToken = (serverSecret: string, tokenId: Id, sealed: Buffer): string | undefined =>
  decrypt(serverSecret, PURPOSE, tokenId, sealed)
