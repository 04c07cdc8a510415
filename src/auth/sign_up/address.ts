import { checkEmail, checkEmailBlocks, normaliseEmail } from './api/email.ts'
import { sendConfirmation } from './api/confirmation.ts'
import { ValidationErrors } from '../../accounts/index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

const findConfirmationState = query(
  'auth/sign_up/confirmation_state',
  { user: c.id },
  {
    email: c.text,
    unconfirmed_email: c.nullable(c.text),
    confirmed: c.boolean,
    approved: c.boolean,
    being_deleted: c.boolean,
    created_by_application_id: c.nullable(c.id),
  },
)
const findFacts = query('auth/sign_up/address_facts', { user: c.id, email: c.text }, { taken: c.boolean })
const setAddress = query('auth/sign_up/set_address', { user: c.id, email: c.text }, {})

/** The progress of a user's confirmation and approval. */
export interface ConfirmationState {
  readonly email: string
  /** The address that replaces the current one when confirmed. */
  readonly unconfirmed_email: string | null
  readonly confirmed: boolean
  readonly approved: boolean
  /** Whether the account is being deleted. */
  readonly being_deleted: boolean
  readonly created_by_application_id: Id | null
}

export const readConfirmationState = (database: Runner, user: Id): Promise<ConfirmationState | undefined> =>
  database.one(findConfirmationState, { user })

/** Whether an address waits for confirmation. */
export const needsConfirmation = (standing: ConfirmationState): boolean =>
  !standing.confirmed || standing.unconfirmed_email !== null

/** Sends the confirmation e-mail for the address that waits for it. */
export const resendConfirmation = (database: Runner, user: Id): Promise<void> =>
  enqueue(database, sendConfirmation, { user })

/**
 * Stores the new address and sends its confirmation e-mail. The confirmed address is notified.
 * @param hold locks the user; whether the session or token that asks for it has not ended
 * meanwhile, as by a reset of the password
 * @returns false if it has
 * @throws ApiError validation with `details`, as at sign-up
 */
export async function changeAddress(
  services: Services,
  user: Id,
  requested: string,
  hold: (transaction: Runner) => Promise<boolean>,
): Promise<boolean> {
  const { database } = services
  const email = normaliseEmail(requested)
  const errors = new ValidationErrors()
  const label = 'E-mail address'
  const domain = checkEmail(email, errors)
  const verdict = domain === undefined ? undefined : await checkEmailBlocks(services, email, domain, null)
  if (verdict?.unreachable) errors.add('email', label, 'ERR_UNREACHABLE', 'does not seem to exist')
  const facts = await database.one(findFacts, { user, email })
  if (facts?.taken) errors.add('email', label, 'ERR_TAKEN', 'has already been taken')
  if (verdict?.blocked) errors.add('email', label, 'ERR_BLOCKED', 'uses a disallowed e-mail provider')
  errors.throwIfAny()
  const before = await readConfirmationState(database, user)
  return database.transaction(async transaction => {
    if (!(await hold(transaction))) return false
    await transaction.run(setAddress, { user, email })
    if (before?.confirmed && before.email !== email)
      await sendNotice(transaction, user, 'email_changing', { values: { email }, email: before.email })
    await resendConfirmation(transaction, user)
    return true
  })
}
