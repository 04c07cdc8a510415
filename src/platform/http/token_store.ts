import type { Token, Viewer } from '../../core/viewer.ts'
import type { Id } from '../../core/id.ts'
import type { Request } from './request.ts'

/** Finds the sender of a request. OAuth implements it; HTTP and streaming need only this part. */
export interface TokenStore {
  /** The token with this secret, revoked ones included, or undefined. */
  find(secret: string): Promise<Token | undefined>
  /** The user as a viewer, or undefined. */
  viewer(userId: Id): Promise<Viewer | undefined>
  /** The user who is signed in, in the browser that sent the request; undefined if nobody is. */
  browserUser(request: Request): Promise<Viewer | undefined>
  /** Records the use of a token, at most once in 24 hours. */
  touch(token: Token, address: string): void
}
