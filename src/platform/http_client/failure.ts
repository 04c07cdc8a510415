/**
 * Why there is no answer.
 * - refused: the URL or the address that it leads to is not allowed; trying again does not help
 * - timeout: it took too long
 * - unreachable: no such host, no connection, a broken answer
 */
export type OutgoingReason = 'refused' | 'timeout' | 'unreachable'

/** An outgoing request that got no answer. The message names the host and no more: the rest of a URL may be a secret. */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
