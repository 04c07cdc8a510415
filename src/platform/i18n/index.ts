/** What people read on pages and in letters, in every language that it is translated to. */
export { chooseLanguage, speak, TEXT_LANGUAGES, type Speaker, type TextKey, type Values } from './translator.ts'
