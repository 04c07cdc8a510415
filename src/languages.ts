export { isLanguage, LANGUAGES, type Language } from './languages/index.ts'
