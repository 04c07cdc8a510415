import { grants } from '../../core/scopes.ts'
import type { Id } from '../../core/id.ts'
import type { Caller } from '../../platform/streaming/index.ts'
import type { PublicRules } from './rules.ts'

/** The reader of a stream. */
export interface Reader {
  readonly userId: Id
  /**
   * Whether the token has the scope for notifications, which the `user` stream requires for them.
   */
  readonly notifications: boolean
  /** The rules for public streams; other streams decide before rendering. */
  readonly rules: PublicRules | undefined
  readonly release: () => void
}

const NOTHING = (): void => undefined

/** The reader of a personal stream. */
export const makeReader = (
  { token, viewer }: Caller,
  more: { rules?: PublicRules; release?: () => void } = {},
): Reader => ({
  userId: viewer.userId,
  notifications: grants(token.scopes, 'read:notifications'),
  rules: more.rules,
  release: more.release ?? NOTHING,
})
