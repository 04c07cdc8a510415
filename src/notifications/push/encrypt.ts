import type { Secrets } from '../../platform/secrets/index.ts'

/** The destination of a message, and its encryption. */
export interface PushTarget {
  readonly endpoint: string
  readonly key_p256dh: string
  readonly key_auth: string
  /** RFC 8291 (aes128gcm); else its draft 4 (aesgcm), which most clients still expect. */
  readonly standard: boolean
}

/** An encrypted message. */
export interface EncryptedPush {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

/** RFC 8292 allows a day; a little less, because clocks differ. */
const SIGNED_FOR_MS = 24 * 60 * 60 * 1000 - 300_000

/** Loaded with the first message: it takes 1 MB. */
const loadWebPush = async () => (await import('web-push')).default

/** The type definitions of web-push say string, but it returns a buffer. */
const encodeKey = (key: unknown): string => (Buffer.isBuffer(key) ? key.toString('base64url') : String(key))

/**
 * Encrypts a message for its subscription, and signs it with the server's key (VAPID, RFC 8292).
 * @param contact a mailto: URL by which the push service reaches the operator
 */
export async function encryptPush(
  target: PushTarget,
  message: string,
  sender: { vapid: Secrets['vapid']; contact: string },
): Promise<EncryptedPush> {
  const webpush = await loadWebPush()
  const encoding = target.standard ? 'aes128gcm' : 'aesgcm'
  const { cipherText, salt, localPublicKey } = webpush.encrypt(target.key_p256dh, target.key_auth, message, encoding)
  const { publicKey, privateKey } = sender.vapid
  const signed = webpush.getVapidHeaders(
    new URL(target.endpoint).origin,
    sender.contact,
    publicKey,
    privateKey,
    'aesgcm',
    Math.floor((Date.now() + SIGNED_FOR_MS) / 1000),
  )
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Encoding': encoding }
  const token = signed.Authorization.replace('WebPush ', '')
  if (target.standard) {
    return { headers: { ...headers, Authorization: `vapid t=${token},k=${publicKey}` }, body: cipherText }
  }
  const legacy = {
    Authorization: `WebPush ${token}`,
    Encryption: `salt=${salt}`,
    'Crypto-Key': `dh=${encodeKey(localPublicKey)};p256ecdsa=${publicKey}`,
  }
  return { headers: { ...headers, ...legacy }, body: cipherText }
}
