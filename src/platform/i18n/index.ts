/** The texts of pages and e-mails, in every supported language. */
export { translateError, translateKnown } from './api_errors.ts'
export { languageLabels } from './language_labels.ts'
export { languageName } from './language_name.ts'
export {
  chooseLanguage,
  translatorFor,
  TEXT_LANGUAGES,
  type TextLanguage,
  type Translator,
  type TextKey,
  type Values,
} from './translator.ts'
