import type { Token, Viewer } from '../../core/viewer.ts'
import type { Id } from '../../core/id.ts'

/** Finds who sends a request. OAuth implements it; HTTP and streaming need no more of it. */
export interface TokenStore {
  /** The token with this secret, revoked ones too, or undefined. */
  find(secret: string): Promise<Token | undefined>
  /** The user as a viewer, or undefined. */
  viewer(userId: Id): Promise<Viewer | undefined>
  /** Records the use of a token, at most once in 24 hours. */
  touch(token: Token, address: string): void
}
