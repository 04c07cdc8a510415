import { takeChallenge } from './password_confirmation.ts'
import { leads } from './redirects.ts'
import { changePreferences, showPreferences } from './preferences.ts'

export const operations = [takeChallenge, showPreferences, changePreferences, ...leads]
