import { ApiError } from '../../core/errors.ts'
import { translateError } from '../../platform/i18n/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { fieldErrorsOf, type FieldErrors } from '../sign_up/index.ts'

/** Why a form was refused: the errors by field, and the message about the form as a whole. */
export interface Refusal {
  readonly fields: FieldErrors
  readonly alert: string
  /** The API's message about the form as a whole. */
  readonly message?: string | undefined
}

/**
 * Runs a change and returns why it was refused; undefined if it was not.
 * @throws any error but a validation error
 */
export async function refusalOf(webSession: WebSession, work: () => Promise<unknown>): Promise<Refusal | undefined> {
  let message: string | undefined
  const fields = await fieldErrorsOf(webSession.translator, async () => {
    try {
      await work()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'validation' && !('details' in error.body))
        message = error.message
      throw error
    }
  })
  const { translator } = webSession
  const alert = message === undefined ? translator.t('settings.refused') : translateError(message, translator)
  return fields && { fields, alert, message }
}
