/**
 * Why there is no response.
 * - refused: the URL or the address that it leads to is not allowed; trying again does not help
 * - timeout: it took too long
 * - unreachable: no such host, no connection, a malformed response
 */
export type OutgoingReason = 'refused' | 'timeout' | 'unreachable'

/**
 * An outgoing request without a response. The message names only the host: the rest of a URL may be
 * secret.
 */
export class OutgoingFailure extends Error {
  override readonly name = 'OutgoingFailure'
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** The failure of a request to a host whose address is not public. */
export const privateAddress = (host: string): OutgoingFailure =>
  new OutgoingFailure('refused', `Requests to private network addresses are disallowed (tried to query ${host})`)
