import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const keyOf = (serverSecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', serverSecret, '', purpose, 32))

/**
 * Encrypts a text for one row of a table, with a key for this purpose only.
 * @param owner the id of the row: a copy in another row cannot be decrypted
 * @returns the nonce, the tag and the text
 */
export function encrypt(serverSecret: string, purpose: string, owner: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(serverSecret, purpose), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(owner))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** The text; undefined if it was not encrypted with this secret for this purpose and row. */
export function decrypt(serverSecret: string, purpose: string, owner: string, encrypted: Buffer): string | undefined {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = encrypted.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, keyOf(serverSecret, purpose), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const text = decipher.update(encrypted.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString()
  } catch {
    // The tag does not match: another secret, or another row.
    return undefined
  }
}
