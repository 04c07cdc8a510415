/** Sign-up: pages, and confirmation of addresses. */
export { changeAddress, findStanding, type Standing } from './address.ts'
export { fieldErrorsOf, type FieldErrors } from './form_errors.ts'
export { newPasswordFields } from './sign_up_page.ts'
export { activateUser } from './api/activate.ts'
export { sendConfirmation } from './api/confirmation.ts'
export { emailToFind, normaliseEmail, parseEmail } from './api/email.ts'
export { checkPassword } from './api/sign_up.ts'
