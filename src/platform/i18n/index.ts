/** What people read on pages and in letters, in every language that it is translated to. */
export { chooseLanguage, translator, TEXT_LANGUAGES, type Translator, type TextKey, type Values } from './translator.ts'
