import type { PublicKey } from '../protocol/index.ts'

/** The parts of a request that a signature may cover. */
export interface SignedRequest {
  readonly method: string
  /** The path with the query. */
  readonly target: string
  /** The whole URL. */
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A signature whose syntax and validity period are accepted, not yet verified with its key. */
export interface RequestSignature {
  readonly keyId: string
  matches(key: PublicKey): boolean
}
