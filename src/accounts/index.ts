/**
 * Accounts: profiles, relationships, collections, directory, suggestions, deletion. It imports
 * core, platform and media. Start with `render.ts` and `relationships/`.
 */
export { ValidationErrors } from './validation_errors.ts'
export { partialEntity, type AccountFragment } from './fragment.ts'
export { defaultVisibility, readCredentials, type Credentials } from './credentials.ts'
export { preferencesOf } from './edit.ts'
export { featuredTagsOf, type FeaturedTag } from './featured_tags.ts'
export type { FeatureGroup, FeaturePolicy } from './feature_approval.ts'
export { block, storeBlock, unblock } from './block.ts'
export { endFollow, follow, removeFollower, unfollow, type FollowOptions } from './follow.ts'
export { acceptFollow } from './follow_requests.ts'
export { mute, unmute } from './mute.ts'
export { lockAccount } from './lock_account.ts'
export { mentionedIn, profileContext, type NamedAccount } from './format.ts'
export { foreignDomain, parseHandle } from './handle.ts'
export { findAccount, isVisibleTo } from './find_account.ts'
export { findByHandle, resolveByHandle } from './read.ts'
export type { StoredField, StoredImage } from './profile.ts'
export { changePair, lockPair } from './relationship.ts'
export {
  findRemoteHandle,
  fetchRemoteUrl,
  findRemoteUrl,
  refreshRemoteAccount,
  refreshRemoteReplies,
  refreshRemoteStatus,
  useRemoteLookup,
  type RemoteLookup,
} from './remote_lookup.ts'
export { followersAmong } from './followers_among.ts'
export { accountFragments, renderAccount, renderAccounts, dependsOnFollow } from './render.ts'
export { removePictures, storePicture } from './picture.ts'
export { removePicture } from './remove_picture.ts'
export { findByUrl, searchAccounts } from './search.ts'
export { updateProfile } from './update_profile.ts'
export { findAccountStatuses } from './statuses_of.ts'
export { usernames } from './usernames.ts'
export { verifyLinks } from './verify_fields.ts'
