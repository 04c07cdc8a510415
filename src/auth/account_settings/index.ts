/** Shared parts of the account settings pages: layout, access rules and password confirmation. */
export { settingsPage, type SettingsPage } from './settings_layout.ts'
export { requireSignedIn, type SignedInRules } from './require_signed_in.ts'
export { isPasswordOf } from './password.ts'
