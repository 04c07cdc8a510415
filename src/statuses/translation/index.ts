/** Texts in other languages, by the service that the operator has configured. */
export { canTranslate, translate, translationLanguages, type Original, type Translation } from './translate.ts'
