import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()

type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

/** Encodes the little of CBOR (RFC 8949) that authenticators need. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const parts = [...value].flatMap(([key, member]) => [encode(key), encode(member)])
  return Buffer.concat([head(5, value.size), ...parts])
}

/** A security key in software, for one server. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #privateKey: KeyObject
  readonly #coordinates: { x: Buffer; y: Buffer }
  readonly #origin: string
  readonly #step: number
  #count = 0

  /** @param counts passkeys of platforms and password managers don't count, and always send 0 */
  constructor(origin: string, { counts = true } = {}) {
    this.#origin = origin
    this.#step = counts ? 1 : 0
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#privateKey = privateKey
    this.#coordinates = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #data(flags: number, more: Buffer = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE((this.#count += this.#step))
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.from([flags]), count, more])
  }

  /** What a browser sends for a new key. */
  create(challenge: string): object {
    const publicKey = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, this.#coordinates.x],
      [-3, this.#coordinates.y],
    ])
    const length = Buffer.from([0, this.id.length])
    const authData = this.#data(0x41, Buffer.concat([Buffer.alloc(16), length, this.id, encode(publicKey)]))
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge, this.#origin).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['usb', 'teleport'],
    })
  }

  /** What a browser sends for a challenge; `rewind` pretends that the key was copied before. */
  get(challenge: string, { origin = this.#origin, rewind = 0 } = {}): object {
    this.#count -= rewind
    const clientData = this.#clientData('webauthn.get', challenge, origin)
    const data = this.#data(0x01)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#privateKey)
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #credential(response: object): object {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
