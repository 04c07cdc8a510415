import { ValidationErrors } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { preferredLanguage } from '../../core/languages/index.ts'
import { hashSecret } from '../../core/secret.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Context } from '../../platform/http/index.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import {
  activateUser,
  checkEmail,
  checkPassword,
  checkUsername,
  normaliseEmail,
  translateTaken,
} from '../sign_up/index.ts'
import { hasOwner } from './link.ts'

const findLink = query('auth/owner_setup/find_link', { token_hash: c.bytes }, { found: c.boolean })
const lockLink = query('auth/owner_setup/lock_link', { token_hash: c.bytes }, { found: c.boolean })
const findTaken = query(
  'auth/owner_setup/taken',
  { username: c.text, email: c.text },
  { username: c.boolean, email: c.boolean },
)
const insertOwner = query(
  'auth/owner_setup/make_owner',
  {
    username: c.text,
    email: c.text,
    password_hash: c.text,
    locale: c.nullable(c.text),
    ip: c.nullable(c.inet),
  },
  { user_id: c.id, events: c.events },
)

export interface NewOwner {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** The state of a link: valid; unknown, used or expired; or useless because there is an owner. */
export type LinkState = 'valid' | 'stale' | 'taken'

export async function stateOfLink(runner: Runner, token: string, find = findLink): Promise<LinkState> {
  const link = await runner.one(find, { token_hash: hashSecret(token) })
  if (await hasOwner(runner)) return 'taken'
  return link ? 'valid' : 'stale'
}

/** Reserved names are for the staff, so the owner may have one. @throws ApiError validation */
async function check(runner: Runner, { username, email, password }: NewOwner): Promise<void> {
  const errors = new ValidationErrors()
  const taken = await runner.one(findTaken, { username, email })
  checkUsername(username, false, errors)
  if (taken?.username === true) errors.add('username', 'Username', 'ERR_TAKEN', 'has already been taken')
  checkEmail(email, errors)
  if (taken?.email === true) errors.add('email', 'E-mail address', 'ERR_TAKEN', 'has already been taken')
  checkPassword(password, errors)
  errors.throwIfAny()
}

/**
 * Creates the owner's account with a link, which can be used once. Of two simultaneous requests,
 * the second finds no link.
 * @returns the id of the user, or the reason why the link is not valid
 * @throws ApiError validation with `details`
 */
export async function makeOwner(
  { database, request }: Context,
  token: string,
  input: NewOwner,
): Promise<{ userId: Id } | { refused: LinkState }> {
  const owner = { ...input, username: input.username.trim(), email: normaliseEmail(input.email) }
  const state = await stateOfLink(database, token)
  if (state !== 'valid') return { refused: state }
  await check(database, owner)
  const passwordHash = await hashPassword(owner.password)
  try {
    return await database.transaction(async transaction => {
      const locked = await stateOfLink(transaction, token, lockLink)
      if (locked !== 'valid') return { refused: locked }
      const added = await transaction.one(insertOwner, {
        username: owner.username,
        email: owner.email,
        password_hash: passwordHash,
        locale: preferredLanguage(request.header('accept-language')) ?? null,
        ip: request.address === '' ? null : request.address,
      })
      if (!added) throw new ApiError('unavailable')
      await activateUser(transaction, added.user_id)
      return { userId: added.user_id }
    })
  } catch (error) {
    throw translateTaken(error)
  }
}
