import {
  addFeaturedTag,
  addToProfile,
  removeFeaturedTag,
  removeFromProfile,
  showFeaturedTags,
  suggestFeaturedTags,
} from './feature.ts'
import { addOnPage, removeOnPage, showFeaturedPage } from './featured_page.ts'
import { followTag, showFollowedTags, showTag, unfollowTag } from './follow.ts'

export const operations = [
  showTag,
  followTag,
  unfollowTag,
  showFollowedTags,
  addToProfile,
  removeFromProfile,
  showFeaturedTags,
  addFeaturedTag,
  suggestFeaturedTags,
  removeFeaturedTag,
  showFeaturedPage,
  addOnPage,
  removeOnPage,
]
