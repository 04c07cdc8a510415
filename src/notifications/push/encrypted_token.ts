import type { Id } from '../../core/id.ts'
import { decrypt, encrypt } from '../../platform/secrets/index.ts'

/*
 * Each message names the token that it is for (api/entities/WebPushPayload.json), but of tokens only hashes are kept. The client presents
 * its token when it subscribes; a copy is kept with the subscription, encrypted with a key of this server, and goes when the subscription
 * goes.
 */

const PURPOSE = 'token of a push subscription'

/** Encrypts the secret of a token for its subscription. */
export const encryptToken = (serverSecret: string, tokenId: Id, secret: string): Buffer =>
  encrypt(serverSecret, PURPOSE, tokenId, secret)

/** The secret of the token, or undefined when it was not sealed with this server's secret, for this token. */
export const decryptToken = (serverSecret: string, tokenId: Id, sealed: Buffer): string | undefined =>
  decrypt(serverSecret, PURPOSE, tokenId, sealed)
