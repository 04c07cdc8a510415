import { randomInt } from 'node:crypto'
import { c, query, type Runner } from '../../../platform/database/index.ts'
import type { Id } from '../../../core/id.ts'

const insertInvite = query(
  'auth/sign_up/invites/create',
  {
    user: c.id,
    code: c.text,
    max_uses: c.nullable(c.integer),
    lifetime_seconds: c.nullable(c.integer),
    autofollow: c.boolean,
    comment: c.nullable(c.text),
  },
  { id: c.id },
)
const list = query(
  'auth/sign_up/invites/list',
  { user: c.nullable(c.id) },
  {
    id: c.id,
    code: c.text,
    max_uses: c.nullable(c.integer),
    uses: c.integer,
    expires_at: c.nullable(c.timestamp),
    comment: c.nullable(c.text),
    username: c.text,
    good: c.nullable(c.boolean),
  },
)
const expireOwn = query('auth/sign_up/invites/expire', { invite: c.id, user: c.id }, { id: c.id })
const expireCode = query('auth/sign_up/invites/expire_code', { code: c.text }, { id: c.id })

/** Letters and digits that cannot be mistaken for each other. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODE_LENGTH = 8

/** The terms of an invite. */
export interface InviteTerms {
  /** Null: unlimited. */
  readonly maxUses: number | null
  /** Null: does not expire. */
  readonly lifetimeSeconds: number | null
  /** Whether new users follow the invite's creator. */
  readonly autofollow: boolean
  /** A note for the creator. */
  readonly comment: string | null
}

/** An invite in a list. */
export interface Invite {
  readonly id: Id
  readonly code: string
  readonly max_uses: number | null
  readonly uses: number
  readonly expires_at: Date | null
  readonly comment: string | null
  /** The creator's username. */
  readonly username: string
  readonly good: boolean | null
}

const makeCode = (): string => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Creates an invite and returns its code. */
export async function createInvite(runner: Runner, user: Id, terms: InviteTerms): Promise<string> {
  const code = makeCode()
  await runner.one(insertInvite, {
    user,
    code,
    max_uses: terms.maxUses,
    lifetime_seconds: terms.lifetimeSeconds,
    autofollow: terms.autofollow,
    comment: terms.comment,
  })
  return code
}

/** A user's invites, or all (null), newest first. */
export const listInvites = (runner: Runner, user: Id | null): Promise<Invite[]> => runner.run(list, { user })

/**
 * Ends an invite by its id, for its creator, or by its code, for anyone; returns whether it
 * existed.
 */
export async function expireInvite(
  runner: Runner,
  which: { invite: Id; user: Id } | { code: string },
): Promise<boolean> {
  const ended = 'code' in which ? await runner.one(expireCode, which) : await runner.one(expireOwn, which)
  return ended !== undefined
}
