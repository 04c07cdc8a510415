/** The texts of pages and e-mails, in every supported language. */
export { chooseLanguage, translator, TEXT_LANGUAGES, type Translator, type TextKey, type Values } from './translator.ts'
