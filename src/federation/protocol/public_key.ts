import { createPublicKey, type KeyObject } from 'node:crypto'

/** A public key of another server. */
export type PublicKey = KeyObject | MlDsaKey

/** The first bytes of a SubjectPublicKeyInfo with an ML-DSA-44 key (RFC 9881). */
const SPKI_ML_DSA_PREFIX = Buffer.from('30820532300b06096086480165030403110382052100', 'hex')
export const ML_DSA_KEY_BYTES = 1312

/** A public key for ML-DSA-44 (FIPS 204), which `node:crypto` of Node.js 22 does not have. */
export class MlDsaKey {
  readonly #bytes: Buffer

  /** @param bytes the key, of ML_DSA_KEY_BYTES */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  toPem(): string {
    const text = Buffer.concat([SPKI_ML_DSA_PREFIX, this.#bytes]).toString('base64')
    return `-----BEGIN PUBLIC KEY-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END PUBLIC KEY-----\n`
  }

  /** Such keys are rare, so the library is loaded with the first signature. */
  async verify(message: Buffer, signature: Buffer): Promise<boolean> {
    const { ml_dsa44: mlDsa } = await import('@noble/post-quantum/ml-dsa.js')
    return mlDsa.verify(signature, message, this.#bytes)
  }
}

/** @throws Error for text that is no public key in PEM */
export function parsePublicKey(pem: string): PublicKey {
  const der = Buffer.from(pem.replaceAll(/-----[^-]*-----|\s/g, ''), 'base64')
  const start = SPKI_ML_DSA_PREFIX.length
  return der.length === start + ML_DSA_KEY_BYTES && der.subarray(0, start).equals(SPKI_ML_DSA_PREFIX)
    ? new MlDsaKey(der.subarray(start))
    : createPublicKey(pem)
}
