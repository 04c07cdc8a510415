import type { Token, Viewer } from '../../core/viewer.ts'
import type { TokenStore } from '../http/token_store.ts'

/** An error that the client receives: as a status of the handshake, or as an error message. */
export class StreamError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'StreamError'
    this.status = status
  }
}

/** The authenticated caller of a stream. */
export interface Caller {
  readonly token: Token
  readonly viewer: Viewer
}

/** A token without a scheme is accepted, as Mastodon's streaming server does. */
const BEARER = /^(?:bearer +)?(?!bearer\s*$)(\S+)\s*$/i

/** The access token: from the header, else the query, else the subprotocol of a WebSocket. */
export function presentedSecret(presented: {
  authorization: string
  query: string | undefined
  subprotocol: string
}): string | undefined {
  const secret = BEARER.exec(presented.authorization)?.[1] ?? presented.query
  // A browser that offers several subprotocols gets the first one accepted, so only that one
  // counts.
  return secret || presented.subprotocol.split(',')[0]?.trim() || undefined
}

/**
 * Whether the user may stream. Unlike REST, streaming is open to unconfirmed and unapproved users.
 */
export const mayStream = (viewer: Viewer): boolean => !viewer.suspended && viewer.state !== 'disabled'

/**
 * Authenticates the caller.
 * @throws StreamError 401
 */
export async function identify(tokens: TokenStore, secret: string | undefined): Promise<Caller> {
  if (secret === undefined) throw new StreamError(401, 'Missing access token')
  const token = await tokens.find(secret)
  if (!token?.viewer || token.revoked || !mayStream(token.viewer)) throw new StreamError(401, 'Invalid access token')
  return { token, viewer: token.viewer }
}
