import type { ValidationErrors } from '../../../accounts/index.ts'

const MAX_LENGTH = 30
const FORM = /^[a-z0-9_]+$/i

/** Adds the errors of a username; whether it is taken or reserved is checked in the database. */
export function checkUsername(username: string, reserved: boolean, errors: ValidationErrors): void {
  if (username === '') return errors.add('username', 'Username', 'ERR_BLANK', "can't be blank")
  if (!FORM.test(username)) {
    errors.add('username', 'Username', 'ERR_INVALID', 'must contain only letters, numbers and underscores')
  }
  if (username.length > MAX_LENGTH) errors.addTooLong('username', 'Username', MAX_LENGTH)
  if (reserved) errors.add('username', 'Username', 'ERR_RESERVED', 'is reserved')
}
