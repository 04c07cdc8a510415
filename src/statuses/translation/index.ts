/** Texts in other languages, by a service that the operator has chosen. */
export { canTranslate, translate, translationLanguages, type Original, type Translation } from './translate.ts'
