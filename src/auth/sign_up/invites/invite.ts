import { randomInt } from 'node:crypto'
import { c, query, type Database, type Row, type Runner } from '../../../platform/database/index.ts'
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
  { user: c.id, before: c.nullable(c.id), limit: c.integer },
  {
    id: c.id,
    code: c.text,
    max_uses: c.nullable(c.integer),
    uses: c.integer,
    expires_at: c.nullable(c.timestamp),
    comment: c.nullable(c.text),
    username: c.text,
    usable: c.nullable(c.boolean),
  },
)
const everybodys = query(
  'auth/sign_up/invites/page',
  { usable: c.nullable(c.boolean), before: c.nullable(c.id), limit: c.integer },
  {
    id: c.id,
    code: c.text,
    max_uses: c.nullable(c.integer),
    uses: c.integer,
    expires_at: c.nullable(c.timestamp),
    comment: c.nullable(c.text),
    username: c.text,
    account_id: c.id,
    created_at: c.timestamp,
    usable: c.nullable(c.boolean),
  },
)
const deactivate = query(
  'auth/sign_up/invites/deactivate',
  { moderator: c.nullable(c.id), ids: c.nullable(c.ids) },
  { amount: c.integer },
)
const expireOwn = query('auth/sign_up/invites/expire', { invite: c.id, user: c.id }, { id: c.id })
const expireCode = query(
  'auth/sign_up/invites/expire_code',
  { moderator: c.nullable(c.id), code: c.text },
  { id: c.id, recorded: c.bigint },
)
const inviter = query('auth/sign_up/invites/inviter', { username: c.text }, { id: c.id, account_id: c.id })
const recordIssue = query(
  'auth/sign_up/invites/record_issue',
  { moderator: c.nullable(c.id), code: c.text },
  { entry: c.id },
)

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
  readonly usable: boolean | null
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

/** The user on whose behalf the staff makes an invite; undefined when there is none. */
export const findInviter = (runner: Runner, username: string): Promise<Row<typeof inviter.columns> | undefined> =>
  runner.one(inviter, { username })

/**
 * Creates an invite on behalf of a user, with an entry in the audit log; returns its code.
 * @param moderator null for the operator
 */
export const issueInvite = (database: Database, moderator: Id | null, user: Id, terms: InviteTerms): Promise<string> =>
  database.transaction(async transaction => {
    const code = await createInvite(transaction, user, terms)
    await transaction.run(recordIssue, { moderator, code })
    return code
  })

/** A page of a user's invites, newest first. */
export const listInvites = (
  runner: Runner,
  user: Id,
  { before = null, limit }: { readonly before?: Id | null | undefined; readonly limit: number },
): Promise<Invite[]> => runner.run(list, { user, before, limit })

/** Ends an invite for its creator; returns whether it existed. */
export const expireInvite = async (runner: Runner, which: { invite: Id; user: Id }): Promise<boolean> =>
  (await runner.one(expireOwn, which)) !== undefined

/**
 * Ends an invite of anybody by its code, with an entry in the audit log; returns whether it
 * existed.
 * @param moderator null for the operator
 */
export const revokeInvite = async (runner: Runner, moderator: Id | null, code: string): Promise<boolean> =>
  (await runner.one(expireCode, { moderator, code })) !== undefined

/** An invite as moderators see it. */
export type IssuedInvite = Row<typeof everybodys.columns>

/**
 * Everybody's invites, newest first: those that can still be used (true), or that cannot (false).
 */
export const listIssuedInvites = (
  runner: Runner,
  {
    usable = null,
    before = null,
    limit,
  }: { readonly usable?: boolean | null; readonly before?: Id | null; readonly limit: number },
): Promise<IssuedInvite[]> => runner.run(everybodys, { usable, before, limit })

/** Ends invites of anybody, or all (null); returns how many could still be used. */
export async function deactivateInvites(
  runner: Runner,
  moderator: Id | null,
  ids: readonly Id[] | null,
): Promise<number> {
  return (await runner.one(deactivate, { moderator, ids: ids && [...ids] }))?.amount ?? 0
}
