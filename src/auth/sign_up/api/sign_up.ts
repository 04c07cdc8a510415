import { c, query, violatedConstraint, type Runner } from '../../../platform/database/index.ts'
import { ApiError } from '../../../core/errors.ts'
import type { Id } from '../../../core/id.ts'
import { enqueue } from '../../../platform/jobs/index.ts'
import { findLanguage } from '../../../core/languages/index.ts'
import { hashPassword } from '../../../platform/password_hashing/index.ts'
import type { Services } from '../../../platform/services.ts'
import { registrationsMode } from '../../../platform/settings/index.ts'
import { countCodePoints } from '../../../core/text/index.ts'
import { isTimeZone } from '../../../core/zoned_time.ts'
import { checkUsernameBlocks } from '../../../moderation/username_blocks/index.ts'
import { ValidationErrors } from '../../../accounts/index.ts'
import { checkAge } from './age.ts'
import { sendConfirmation } from './confirmation.ts'
import { checkEmail, checkEmailBlocks, normaliseEmail, type AddressFacts } from './email.ts'
import { checkUsername } from './username.ts'

const findFacts = query(
  'auth/sign_up/sign_up_facts',
  { username: c.text, email: c.text, invite: c.nullable(c.text) },
  {
    username_taken: c.boolean,
    email_taken: c.boolean,
    invite_id: c.nullable(c.id),
    invite_bypasses: c.boolean,
  },
)

const makeUser = query(
  'auth/sign_up/sign_up',
  {
    username: c.text,
    email: c.text,
    password_hash: c.text,
    approved: c.boolean,
    locale: c.nullable(c.text),
    time_zone: c.nullable(c.text),
    reason: c.nullable(c.text),
    invite: c.nullable(c.id),
    application: c.nullable(c.id),
    ip: c.nullable(c.inet),
    age_verified: c.boolean,
  },
  { user_id: c.id, account_id: c.id, events: c.events },
)

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 72
const MAX_REASON_LENGTH = 420

/** The parameters of a sign-up, not yet validated; blank texts count as missing. */
export interface SignUp {
  username: string
  email: string
  password: string
  agreement: boolean
  /** Unknown locales and time zones count as missing. */
  locale?: string | undefined
  timeZone?: string | undefined
  reason?: string | undefined
  inviteCode?: string | undefined
  /** YYYY-MM-DD. */
  dateOfBirth?: string | undefined
  /** The application that signs up; null on this server's own pages. */
  applicationId: Id | null
  /** The client's IP address. */
  address: string
}

export interface SignedUp {
  accountId: Id
  userId: Id
  /** Whether the user is approved already. */
  approved: boolean
}

/** Adds an error for a password that is too short or too long. */
export function checkPassword(password: string, errors: ValidationErrors): void {
  const length = countCodePoints(password)
  if (length === 0) errors.add('password', 'Password', 'ERR_BLANK', "can't be blank")
  else if (length < MIN_PASSWORD_LENGTH) {
    errors.add('password', 'Password', 'ERR_TOO_SHORT', `is too short (minimum is ${MIN_PASSWORD_LENGTH} characters)`)
  }
  if (length > MAX_PASSWORD_LENGTH) errors.addTooLong('password', 'Password', MAX_PASSWORD_LENGTH)
}

function checkReason(reason: string | undefined, required: boolean, errors: ValidationErrors): void {
  if (reason === undefined && required) errors.add('reason', 'Reason', 'ERR_BLANK', "can't be blank")
  if (reason !== undefined && countCodePoints(reason) > MAX_REASON_LENGTH) {
    errors.addTooLong('reason', 'Reason', MAX_REASON_LENGTH)
  }
}

const nonBlank = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim()

const knownOrNull = (text: string | undefined, isKnown: (text: string) => boolean): string | null =>
  text !== undefined && isKnown(text) ? text : null

/** Turns the conflict of two simultaneous sign-ups into the usual "taken" error. */
export function translateTaken(error: unknown): unknown {
  const errors = new ValidationErrors()
  const constraint = violatedConstraint(error)
  if (constraint === 'accounts_handle') errors.add('username', 'Username', 'ERR_TAKEN', 'has already been taken')
  if (constraint === 'users_email') errors.add('email', 'E-mail address', 'ERR_TAKEN', 'has already been taken')
  try {
    errors.throwIfAny()
    return error
  } catch (failure) {
    return failure
  }
}

const HARMLESS: AddressFacts = { unreachable: false, blocked: false, needsApproval: false }

/** Adds the errors of an address; blocks of e-mail providers do not apply to invited users. */
async function checkAddress(
  services: Services,
  { email, taken, invited, client }: { email: string; taken: boolean; invited: boolean; client: string | null },
  errors: ValidationErrors,
): Promise<AddressFacts> {
  const label = 'E-mail address'
  const domain = checkEmail(email, errors)
  const facts = domain === undefined ? HARMLESS : await checkEmailBlocks(services, email, domain, client)
  if (facts.unreachable) errors.add('email', label, 'ERR_UNREACHABLE', 'does not seem to exist')
  if (taken) errors.add('email', label, 'ERR_TAKEN', 'has already been taken')
  if (facts.blocked && !invited) errors.add('email', label, 'ERR_BLOCKED', 'uses a disallowed e-mail provider')
  return facts
}

/** Whether the staff must approve all new users, or those of this network. */
function isUnderReview({ settings, ipBlocks }: Services, address: string): boolean {
  if (settings.get('registrations_mode') !== 'open') return true
  return ipBlocks.severityOf(address) === 'sign_up_requires_approval'
}

/**
 * Signs a user up: validates everything, creates account and user and sends the confirmation
 * e-mail, in one transaction with `also` (such as a token for the application).
 * @throws ApiError forbidden while registrations are closed and no valid invite is given, or for a
 * blocked network; validation with `details`; unavailable when too many passwords wait to be hashed
 */
export async function signUp<T = undefined>(
  services: Services,
  details: SignUp,
  also?: (transaction: Runner, signedUp: SignedUp) => Promise<T>,
): Promise<SignedUp & { also: T | undefined }> {
  const { database, settings, config } = services
  const username = details.username.trim()
  const email = normaliseEmail(details.email)
  const facts = await database.one(findFacts, { username, email, invite: nonBlank(details.inviteCode) ?? null })
  if (!facts) throw new Error('sign_up_facts returned no row')
  const mode = registrationsMode(services)
  const invited = facts.invite_id !== null
  if (mode === 'none' && (config.singleUserMode || !invited)) throw new ApiError('forbidden')
  if (services.ipBlocks.severityOf(details.address) === 'sign_up_block') throw new ApiError('forbidden')

  const errors = new ValidationErrors()
  const client = nonBlank(details.address) ?? null
  const address = await checkAddress(services, { email, taken: facts.email_taken, invited, client }, errors)
  checkPassword(details.password, errors)
  const name = await checkUsernameBlocks(database, username)
  checkUsername(username, name.reserved, errors)
  if (facts.username_taken) errors.add('username', 'Username', 'ERR_TAKEN', 'has already been taken')
  if (!details.agreement) errors.add('agreement', 'Service agreement', 'ERR_ACCEPTED', 'must be accepted')
  const reason = nonBlank(details.reason)
  const needsReason = settings.get('require_invite_text') && mode !== 'open' && !invited
  checkReason(reason, needsReason, errors)
  checkAge(details.dateOfBirth, settings.get('min_age'), errors)
  errors.throwIfAny()

  const isReviewed = name.needsApproval || address.needsApproval || isUnderReview(services, details.address)
  const user = {
    username,
    email,
    password_hash: await hashPassword(details.password),
    approved: facts.invite_bypasses || !isReviewed,
    locale: findLanguage(details.locale ?? '') ?? null,
    time_zone: knownOrNull(details.timeZone, isTimeZone),
    reason: reason ?? null,
    invite: facts.invite_id,
    application: details.applicationId,
    ip: client,
    age_verified: details.dateOfBirth !== undefined && settings.get('min_age') !== null,
  }
  try {
    return await database.transaction(async transaction => {
      const row = await transaction.one(makeUser, user)
      if (!row) throw new ApiError('forbidden')
      const signedUp = { accountId: row.account_id, userId: row.user_id, approved: user.approved }
      await enqueue(transaction, sendConfirmation, { user: row.user_id })
      return { ...signedUp, also: await also?.(transaction, signedUp) }
    })
  } catch (error) {
    throw translateTaken(error)
  }
}
