import { changeLanguage, showLanguage } from './language.ts'
import { changePosting, showPosting } from './posting.ts'
import { changeReading, showReading } from './reading.ts'

export const operations = [showLanguage, changeLanguage, showReading, changeReading, showPosting, changePosting]
