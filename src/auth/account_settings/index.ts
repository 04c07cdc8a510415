/** What the pages have in common on which people change their accounts: their frame, who may open them, the password asked for again. */
export { settingsPage, type SettingsPage } from './frame.ts'
export { asOwner, type OwnerRules } from './owner.ts'
export { isPasswordOf } from './password.ts'
