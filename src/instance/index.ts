/**
 * The server's own documents: instance, texts, rules and pictures, announcements, annual reports,
 * health. It imports auth and everything before that. Start with `document.ts`.
 */
export { PREVIEW_PATH } from './pictures.ts'
export { publishedBlocks } from './domain_blocks.ts'
export { instanceIcons } from './document.ts'
export { extendedDescription, privacyPolicy, privacyPolicyChangedAt } from './long_texts.ts'
export {
  removeSitePicture,
  SITE_PICTURES,
  sitePictures,
  storeSitePicture,
  UnreadablePicture,
  type SitePictureName,
  sitePicture,
} from './site_pictures.ts'
export {
  addRule,
  changeRule,
  deleteRule,
  ruleErrorOf,
  MAX_RULE_CHARACTERS,
  moveRule,
  renderRules,
  type Rule,
} from './rules/index.ts'
export { statistics } from './statistics.ts'
export { MILLRACE_VERSION, VERSION } from './version.ts'
export {
  addTerms,
  changeTerms,
  deleteTerms,
  hasTerms,
  listTerms,
  publishTerms,
  termsInForce,
  termsOf,
  type StoredTerms,
} from './terms/index.ts'
