import type { KeyObject } from 'node:crypto'

/** The parts of a request that signatures are about. */
export interface SignedRequest {
  readonly method: string
  /** With the query. */
  readonly target: string
  /** The whole URL. */
  readonly url: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** A signature whose form and time are acceptable; it has yet to be verified with its key. */
export interface Presented {
  readonly keyId: string
  matches(key: KeyObject): boolean
}
