import { createECDH, randomBytes } from 'node:crypto'
import { c, query, type Runner } from '../database/index.ts'

const saveSecrets = query('platform/secrets/save', { names: c.texts, values: c.texts }, {})
const allSecrets = query('platform/secrets/all', {}, { name: c.text, value: c.text })

/** The secrets of this installation; the same in every process, generated at the first start. */
export interface Secrets {
  /** 32 random bytes as base64url, for signing cookies and CSRF tokens. */
  readonly cookieSecret: string
  /**
   * The key pair that identifies this server to push services (RFC 8292), in URL-safe base64
   * without padding, the format of web-push.
   */
  readonly vapid: { readonly publicKey: string; readonly privateKey: string }
}

const CURVE = 'prime256v1'
const PRIVATE_KEY_BYTES = 32

function makePrivateKey(): string {
  const ecdh = createECDH(CURVE)
  ecdh.generateKeys()
  const key = ecdh.getPrivateKey()
  // OpenSSL omits leading zeros; push libraries need all 32 bytes.
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - key.length), key]).toString('base64url')
}

/**
 * The uncompressed point of a private key. Derived rather than stored, so that the two always
 * match.
 */
function publicKeyOf(privateKey: string): string {
  const ecdh = createECDH(CURVE)
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  return ecdh.getPublicKey().toString('base64url')
}

/** Generates each missing secret. */
const MAKE = {
  cookie_secret: () => randomBytes(32).toString('base64url'),
  vapid_private_key: makePrivateKey,
} as const satisfies Record<string, () => string>

/**
 * Reads the secrets after generating missing ones. If several processes start at once, the first to
 * commit decides, and all read its values.
 */
export async function readSecrets(database: Runner): Promise<Secrets> {
  const names = Object.keys(MAKE)
  await database.run(saveSecrets, { names, values: Object.values(MAKE).map(make => make()) })
  const stored = new Map((await database.run(allSecrets, {})).map(row => [row.name, row.value]))
  const secret = (name: keyof typeof MAKE): string => {
    const value = stored.get(name)
    if (value === undefined) throw new Error(`The secret ${name} is missing in the database`)
    return value
  }
  const privateKey = secret('vapid_private_key')
  return Object.freeze({
    cookieSecret: secret('cookie_secret'),
    vapid: Object.freeze({ publicKey: publicKeyOf(privateKey), privateKey }),
  })
}
