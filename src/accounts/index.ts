/**
 * Accounts: profiles, relationships, collections, directory, suggestions, deletion. It imports
 * core, platform and media. Start with `render.ts` and `relationships/`.
 */
export { ValidationErrors } from './validation_errors.ts'
export type { AccountFragment } from './fragment.ts'
export { defaultVisibility, readCredentials, type Credentials } from './credentials.ts'
export { preferencesOf } from './edit.ts'
export { featuredTagsOf, type FeaturedTag } from './featured_tags.ts'
export { block, unblock } from './block.ts'
export { follow, unfollow } from './follow.ts'
export { mute, unmute } from './mute.ts'
export { mentionedIn, profileContext, type NamedAccount } from './format.ts'
export { parseHandle } from './handle.ts'
export { findAccount, isKnownTo } from './known.ts'
export { findByHandle } from './read.ts'
export type { StoredField, StoredImage } from './profile.ts'
export { changePair } from './relationship.ts'
export { accountFragments, renderAccount, renderAccounts, waitsForFollow } from './render.ts'
export { removePicture } from './remove_picture.ts'
export { findByUrl, searchAccounts } from './search.ts'
export { updateProfile } from './update_profile.ts'
export { findAccountStatuses } from './statuses_of.ts'
