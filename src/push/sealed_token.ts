import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Id } from '../id.ts'

/*
 * Each message names the token that it is for (api/entities/WebPushPayload.json), but of tokens only hashes are kept. The client presents
 * its token when it subscribes; a copy is kept with the subscription, encrypted with a key of this server, and goes when the subscription
 * goes. It is bound to its row, so that a copy that is put into another row opens nothing.
 * Stored as the nonce, the tag and the text.
 */

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const keyOf = (serverSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', serverSecret, '', 'token of a push subscription', 32))

/** Encrypts the secret of a token for its subscription. */
export function sealToken(serverSecret: string, tokenId: Id, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(serverSecret), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(tokenId))
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** The secret of the token, or undefined when it was not sealed with this server's secret, for this token. */
export function openToken(serverSecret: string, tokenId: Id, sealed: Buffer): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, keyOf(serverSecret), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(tokenId))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    // The tag does not fit: another secret, or another row.
    return undefined
  }
}
