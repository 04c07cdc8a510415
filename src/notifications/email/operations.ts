import { changeEmailPreferences, showEmailPreferences } from './preferences.ts'

export const operations = [showEmailPreferences, changeEmailPreferences]
