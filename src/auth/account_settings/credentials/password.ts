import { checkPassword } from '../../sign_up/index.ts'
import { ValidationErrors } from '../../../accounts/index.ts'
import { c, query, type Runner } from '../../../platform/database/index.ts'
import type { Id } from '../../../core/id.ts'
import { fieldErrorsOf, type FieldErrors } from '../../sign_up/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'

const setPassword = query(
  'auth/account_settings/credentials/set_password',
  { user: c.id, password_hash: c.text, reset_token_hash: c.nullable(c.bytes) },
  { changed: c.boolean, events: c.events },
)

/** The validation errors of a new password and its repetition. */
export async function newPasswordErrors(
  translator: Translator,
  password: string,
  confirmation: string,
): Promise<FieldErrors | undefined> {
  if (password !== confirmation) return { password_confirmation: [translator.t('form_error.mismatch')] }
  return fieldErrorsOf(translator, async () => {
    const errors = new ValidationErrors()
    checkPassword(password, errors)
    errors.throwIfAny()
  })
}

/**
 * Stores a new password. With the hash of a reset token it does so only while the token is valid.
 * @returns whether it was stored
 */
export async function storePassword(
  database: Runner,
  user: Id,
  passwordHash: string,
  resetTokenHash: Buffer | null = null,
): Promise<boolean> {
  const stored = await database.one(setPassword, {
    user,
    password_hash: passwordHash,
    reset_token_hash: resetTokenHash,
  })
  return stored?.changed === true
}
