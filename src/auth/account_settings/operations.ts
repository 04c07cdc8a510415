import { takeChallenge } from './challenge.ts'
import { leads } from './lead.ts'
import { changePreferences, showPreferences } from './preferences.ts'

export const operations = [takeChallenge, showPreferences, changePreferences, ...leads]
