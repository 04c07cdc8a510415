/**
 * Accounts: profiles, relationships, collections, directory, suggestions, deletion. It imports
 * core, platform and media. Start with `render.ts` and `relationships/`.
 */
export { ValidationErrors } from './validation_errors.ts'
export type { AccountFragment } from './fragment.ts'
export { featuredTagsOf, type FeaturedTag } from './featured_tags.ts'
export { follow } from './follow.ts'
export { mentionedIn, profileContext, type NamedAccount } from './format.ts'
export { parseHandle } from './handle.ts'
export { findAccount, isKnownTo } from './known.ts'
export { findByHandle } from './read.ts'
export type { StoredField, StoredImage } from './profile.ts'
export { changePair } from './relationship.ts'
export { accountFragments, renderAccount, renderAccounts } from './render.ts'
export { findByUrl, searchAccounts } from './search.ts'
export { findAccountStatuses } from './statuses_of.ts'
