import { confirmPassword } from './password_confirmation.ts'
import { redirects } from './redirects.ts'
import { changePreferences, showPreferences } from './preferences.ts'

export const operations = [confirmPassword, showPreferences, changePreferences, ...redirects]
