/** What the pages have in common on which people change their accounts: their frame, who may open them, the password asked for again. */
export { settingsPage, type SettingsPage } from './settings_layout.ts'
export { requireSignedIn, type SignedInRules } from './require_signed_in.ts'
export { isPasswordOf } from './password.ts'
