import { ApiError, validationError } from '../../core/errors.ts'
import type { Runner } from '../../platform/database/index.ts'
import { tokenError } from '../../platform/http/authorize.ts'
import { operation, param } from '../../platform/http/index.ts'
import { holdToken, openWebSession } from '../sessions/index.ts'
import { changeAddress, readConfirmationState, resendConfirmation, needsConfirmation } from './address.ts'

const MAX_CHARACTERS = 320

/**
 * Sends the confirmation e-mail again, optionally to another address. For the application that the
 * user signed up with.
 */
export const requestConfirmation = operation({
  method: 'POST',
  path: '/api/v1/emails/confirmations',
  summary: 'Send the e-mail confirmation message again, optionally to a new address',
  auth: 'app',
  scopes: ['write:accounts'],
  params: { email: param.string({ optional: true, max: MAX_CHARACTERS }) },
  returns: 'Empty',
  async handle({ email }, context) {
    const { token, viewer, database } = context
    const standing = viewer ? await readConfirmationState(database, viewer.userId) : undefined
    if (!viewer || !standing || standing.created_by_application_id !== token.applicationId) {
      const message = 'This method is only available to the application the user originally signed-up with'
      throw new ApiError('notAllowed', { message })
    }
    if (!needsConfirmation(standing)) {
      const message = 'This method is only available while the e-mail is awaiting confirmation'
      throw new ApiError('notAllowed', { message })
    }
    if (email === undefined || email.trim() === '') await resendConfirmation(database, viewer.userId)
    else {
      const hold = (transaction: Runner) => holdToken(transaction, viewer.userId, token.id)
      if (!(await changeAddress(context, viewer.userId, email, hold).catch(withoutDetails)))
        throw tokenError('tokenRevoked')
    }
    return {}
  },
})

/** Here the response has only the message. */
function withoutDetails(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'validation') throw error
  throw validationError(error.message.replace(/^Validation failed: /, ''))
}

/** Also for a signed-in browser, on the page that waits for the confirmation. */
export const checkConfirmation = operation({
  method: 'GET',
  path: '/api/v1/emails/check_confirmation',
  summary: "Check whether the current user's e-mail address is confirmed",
  auth: 'optional',
  scopes: ['read:accounts'],
  params: {},
  returns: 'boolean',
  async handle(_, context) {
    const viewer = context.viewer ?? (context.token ? null : (await openWebSession(context)).viewer)
    if (!viewer) throw new ApiError('userRequired')
    return viewer.state !== 'unconfirmed'
  },
})
