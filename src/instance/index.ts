/**
 * The server's own documents: instance, texts, rules and pictures, announcements, annual reports,
 * health. It imports auth and everything before that. Start with `document.ts`.
 */
export { extendedDescription, privacyPolicy, privacyPolicyChangedAt, type LongText } from './long_texts.ts'
export {
  removeSitePicture,
  SITE_PICTURES,
  sitePictures,
  storeSitePicture,
  type SitePictureName,
} from './site_pictures.ts'
export { renderRules, type Rule } from './rules.ts'
export { statistics } from './statistics.ts'
export { MILLRACE_VERSION } from './version.ts'
export { hasTerms, termsInForce, termsOf } from './terms.ts'
