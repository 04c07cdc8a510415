import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { Inbox } from '../../support/inbox.ts'

/*
 * A push service for tests. It decrypts with node:crypto alone, by the text of the RFCs, because
 * the tests check the output of the library.
 */

/** A received message. */
export interface Delivery {
  readonly device: Device
  readonly headers: IncomingHttpHeaders
  /** The decrypted and parsed payload. */
  readonly message: Record<string, unknown>
  /** The claims of the token of the server, whose signature was verified. */
  readonly claims: Record<string, unknown>
  /** The key of the server in URL-safe base64. */
  readonly serverKey: string
}

/** A subscribed browser or telephone. */
export interface Device {
  readonly endpoint: string
  /** The parameter `subscription`. */
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string }; standard: boolean }
}

/** The status of a response, optionally with Retry-After; null never responds. */
export type PushAnswer = number | { status: number; retryAfter: string } | null

interface KnownDevice extends Device {
  readonly ecdh: ECDH
  readonly auth: Buffer
  readonly answers: PushAnswer[]
}

export interface PushService {
  readonly origin: string
  readonly inbox: Inbox<Delivery>
  /** @param answers the responses to its first messages; later messages get 201 */
  device(options?: { standard?: boolean; answers?: PushAnswer[] }): Device
  /** The next message to this device. */
  next(device: Device): Promise<Delivery>
}

const hkdf = (salt: Buffer, key: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

function decryptRecord(record: Buffer, key: Buffer, nonce: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  return Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
}

/** RFC 8291, section 4, with one record of RFC 8188, section 2.1. */
function decryptStandard({ ecdh, auth }: KnownDevice, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + body.readUInt8(20)
  const sender = body.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = hkdf(auth, ecdh.computeSecret(sender), info, 32)
  const key = hkdf(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
  const plain = decryptRecord(body.subarray(keyEnd), key, nonce)
  const end = plain.lastIndexOf(2)
  if (plain.subarray(end + 1).some(byte => byte !== 0)) throw new Error('the padding is not zeros')
  return plain.subarray(0, end).toString()
}

const memberOf = (header: unknown, name: string): string => {
  const found = new RegExp(`(?:^|[;,\\s])${name}=([\\w-]+)`).exec(String(header))?.[1]
  if (found === undefined) throw new Error(`no ${name} in ${String(header)}`)
  return found
}

const lengthPrefixed = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0, bytes.length]), bytes])

/** draft-ietf-webpush-encryption-04 with draft-ietf-httpbis-encryption-encoding-03. */
function decryptLegacy({ ecdh, auth }: KnownDevice, headers: IncomingHttpHeaders, body: Buffer): string {
  const salt = Buffer.from(memberOf(headers['encryption'], 'salt'), 'base64url')
  const sender = Buffer.from(memberOf(headers['crypto-key'], 'dh'), 'base64url')
  const secret = hkdf(auth, ecdh.computeSecret(sender), Buffer.from('Content-Encoding: auth\0'), 32)
  const context = [Buffer.from('P-256\0'), lengthPrefixed(ecdh.getPublicKey()), lengthPrefixed(sender)]
  const info = (name: string): Buffer => Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), ...context])
  const plain = decryptRecord(body, hkdf(salt, secret, info('aesgcm'), 16), hkdf(salt, secret, info('nonce'), 12))
  return plain.subarray(2 + plain.readUInt16BE(0)).toString()
}

/** Verifies the token of the server (RFC 8292) and returns its claims. */
function verifySender(headers: IncomingHttpHeaders): { claims: Record<string, unknown>; serverKey: string } {
  const authorization = headers.authorization ?? ''
  const standard = /^vapid t=([\w.-]+),k=([\w-]+)$/.exec(authorization)
  const token = standard?.[1] ?? /^WebPush ([\w.-]+)$/.exec(authorization)?.[1] ?? ''
  const serverKey = standard?.[2] ?? memberOf(headers['crypto-key'], 'p256ecdsa')
  const point = Buffer.from(serverKey, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33, 65) }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signed = Buffer.from(`${head}.${claims}`)
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is wrong')
  }
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>, serverKey }
}

function open(device: KnownDevice, headers: IncomingHttpHeaders, body: Buffer): Delivery {
  const text =
    headers['content-encoding'] === 'aes128gcm' ? decryptStandard(device, body) : decryptLegacy(device, headers, body)
  return { device, headers, message: JSON.parse(text) as Record<string, unknown>, ...verifySender(headers) }
}

/** Starts a push service at a free port until the test ends. */
export async function startPushService(t: Test): Promise<PushService> {
  const devices = new Map<string, KnownDevice>()
  const inbox = new Inbox<Delivery>(({ message }) => String(message['notification_type']))
  const answer = (device: KnownDevice, response: ServerResponse): void => {
    const next = device.answers.shift()
    if (next === null) return
    const { status, retryAfter } = typeof next === 'object' ? next : { status: next ?? 201, retryAfter: undefined }
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('x'.repeat(10_000))
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const device = devices.get(request.url ?? '')
      if (!device) return void response.writeHead(404).end()
      try {
        inbox.push(open(device, request.headers, Buffer.concat(parts)))
      } catch (error) {
        inbox.fail(error)
      }
      answer(device, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    inbox,
    device({ standard = false, answers = [] } = {}) {
      const ecdh = createECDH('prime256v1')
      const auth = randomBytes(16)
      const keys = { p256dh: ecdh.generateKeys('base64url'), auth: auth.toString('base64url') }
      const path = `/push/${randomBytes(9).toString('base64url')}`
      const endpoint = origin + path
      const device = { endpoint, subscription: { endpoint, keys, standard }, ecdh, auth, answers: [...answers] }
      devices.set(path, device)
      return device
    },
    next: device => inbox.pick('a push message', delivery => delivery.device === device),
  }
}
