import type { ValidationErrors } from '../../../accounts/index.ts'

const MAX_LENGTH = 30
const FORM = /^[a-z0-9_]+$/i

/** Adds the errors of a username; whether it is taken or reserved is checked in the database. */
export function checkUsername(username: string, reserved: boolean, faults: ValidationErrors): void {
  if (username === '') return faults.add('username', 'Username', 'ERR_BLANK', "can't be blank")
  if (!FORM.test(username)) {
    faults.add('username', 'Username', 'ERR_INVALID', 'must contain only letters, numbers and underscores')
  }
  if (username.length > MAX_LENGTH) faults.addTooLong('username', 'Username', MAX_LENGTH)
  if (reserved) faults.add('username', 'Username', 'ERR_RESERVED', 'is reserved')
}
