import type { Id } from './id.ts'

/** Whether a user may act, and if not, the reason. */
export type UserState = 'functional' | 'unconfirmed' | 'pending' | 'disabled'

/** The user behind a token or a browser session. */
export interface Viewer {
  /** The id of the account. */
  readonly id: Id
  readonly userId: Id
  readonly username: string
  readonly state: UserState
  /** The account is suspended or being deleted: every operation refuses it, public ones too. */
  readonly suspended: boolean
  /** The user may act, except that the role requires a second factor that is not set up. */
  readonly missingFactor: boolean
  readonly silenced: boolean
  readonly locked: boolean
  readonly locale: string | null
  readonly timeZone: string | null
  /** The languages that public timelines are limited to; null means all. */
  readonly chosenLanguages: readonly string[] | null
  /** Effective permission bits (core/permissions.ts). */
  readonly permissions: number
  readonly rolePosition: number
  readonly preferences: Readonly<Record<string, unknown>>
}

export interface Token {
  readonly id: Id
  readonly applicationId: Id | null
  readonly scopes: ReadonlySet<string>
  readonly revoked: boolean
  readonly createdAt: Date
  /** Null for an application's own token. */
  readonly viewer: Viewer | null
}
