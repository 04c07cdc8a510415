import type { Token, Viewer } from '../../core/viewer.ts'
import type { TokenStore } from '../http/token_store.ts'

/** A refusal that the client is told of, by the transport in its own way (api/streaming.md, "Errors"). */
export class StreamError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refusal'
    this.status = status
  }
}

/** Who streams. */
export interface Caller {
  readonly token: Token
  readonly viewer: Viewer
}

const BEARER = /^bearer +(\S+)\s*$/i

/** The secret that is presented: header, else query, else the subprotocol of a WebSocket. */
export function presentedSecret(presented: {
  authorization: string
  query: string | undefined
  protocol: string
}): string | undefined {
  const secret = BEARER.exec(presented.authorization)?.[1] ?? presented.query
  // A browser that offers several subprotocols gets the first accepted, so that is the one that counts.
  return secret || presented.protocol.split(',')[0]?.trim() || undefined
}

/** Whether the user may stream: others than on REST, those who wait for confirmation or approval may. */
export const mayStream = (viewer: Viewer): boolean => !viewer.suspended && viewer.state !== 'disabled'

/** Finds out who it is. @throws Refusal 401 */
export async function identify(tokens: TokenStore, secret: string | undefined): Promise<Caller> {
  if (secret === undefined) throw new StreamError(401, 'Missing access token')
  const token = await tokens.find(secret)
  if (!token?.viewer || token.revoked || !mayStream(token.viewer)) throw new StreamError(401, 'Invalid access token')
  return { token, viewer: token.viewer }
}
