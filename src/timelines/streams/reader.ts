import { grants } from '../../core/scopes.ts'
import type { Id } from '../../core/id.ts'
import type { Caller } from '../../platform/streaming/index.ts'
import type { PublicRules } from './rules.ts'

/** What is known of one who reads a stream. */
export interface Reader {
  readonly userId: Id
  /** Whether the token opens notifications too: those of the `user` stream are for such readers only. */
  readonly notifications: boolean
  /** By what the public streams are decided; the others are decided before. */
  readonly rules: PublicRules | undefined
  readonly release: () => void
}

const NOTHING = (): void => undefined

/** A reader whose own stream it is. */
export const makeReader = (
  { token, viewer }: Caller,
  more: { rules?: PublicRules; release?: () => void } = {},
): Reader => ({
  userId: viewer.userId,
  notifications: grants(token.scopes, 'read:notifications'),
  rules: more.rules,
  release: more.release ?? NOTHING,
})
