/** Becoming a user: sign-up pages, confirmation of addresses. */
export { changeAddress, findStanding, type Standing } from './address.ts'
export { faultsOf, type FieldErrors } from './faults.ts'
export { newPasswordFields } from './sign-up-page.ts'
