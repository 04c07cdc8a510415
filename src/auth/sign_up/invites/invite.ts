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

/** Letters and digits that are not taken for each other (api/conventions.md, section 16). */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODE_LENGTH = 8

/** What an invite is good for. */
export interface InviteTerms {
  /** Null: without limit. */
  readonly maxUses: number | null
  /** Null: for ever. */
  readonly lifetimeSeconds: number | null
  /** Whoever signs up with it follows who made it. */
  readonly autofollow: boolean
  /** For who made it. */
  readonly comment: string | null
}

/** An invite as a list of them shows it. */
export interface Invite {
  readonly id: Id
  readonly code: string
  readonly max_uses: number | null
  readonly uses: number
  readonly expires_at: Date | null
  readonly comment: string | null
  /** Who made it. */
  readonly username: string
  readonly good: boolean | null
}

const makeCode = (): string => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Makes an invite and gives its code. */
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

/** A user's invites, or everybody's (null), the newest first. */
export const listInvites = (runner: Runner, user: Id | null): Promise<Invite[]> => runner.run(list, { user })

/** Ends an invite, by its id that of the user who made it, or by its code anybody's; gives whether there was one. */
export async function expireInvite(
  runner: Runner,
  which: { invite: Id; user: Id } | { code: string },
): Promise<boolean> {
  const ended = 'code' in which ? await runner.one(expireCode, which) : await runner.one(expireOwn, which)
  return ended !== undefined
}
