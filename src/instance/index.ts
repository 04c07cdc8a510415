/**
 * The server's own documents: instance, texts, rules and pictures, announcements, annual reports,
 * health. It imports auth and everything before that. Start with `document.ts`.
 */
export { extendedDescription, privacyPolicy, privacyPolicyChangedAt } from './long_texts.ts'
export { removeSitePicture, SITE_PICTURES, storeSitePicture, type SitePictureName } from './site_pictures.ts'
export { renderRules } from './rules.ts'
export { statistics } from './statistics.ts'
export { MILLRACE_VERSION } from './version.ts'
export { hasTerms, termsInForce, termsOf } from './terms.ts'
