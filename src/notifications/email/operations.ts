import { changeMailWishes, showMailWishes } from './preferences.ts'

export const operations = [showMailWishes, changeMailWishes]
