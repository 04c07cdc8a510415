import type { Id } from './id.ts'

/** Whether a user may act, and if not why. */
export type UserState = 'functional' | 'unconfirmed' | 'pending' | 'disabled'

/** The user behind a token or a browser session. */
export interface Viewer {
  /** Of the account. */
  readonly id: Id
  readonly userId: Id
  readonly username: string
  readonly state: UserState
  /** The account is suspended or going: refused on every operation, public ones too. */
  readonly suspended: boolean
  /** All else is well, but the role asks for a second factor that the user does not have. */
  readonly missingFactor: boolean
  readonly silenced: boolean
  readonly locked: boolean
  readonly locale: string | null
  readonly timeZone: string | null
  /** Languages that public timelines are limited to; null: all. */
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
