/** Shared parts of the account settings pages: layout, access rules and password confirmation. */
export { settingsPage } from './settings_layout.ts'
export { newTermsPage, recordTermsSeen } from './new_terms.ts'
export { signedInForm, signedInPage } from './signed_in_operation.ts'
export { isPasswordOf } from './password.ts'
export { refusalOf, type Refusal } from './form_refusal.ts'
export { sendReset } from './credentials/reset_email.ts'
