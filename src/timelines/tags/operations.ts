import {
  addFeaturedTag,
  addToProfile,
  removeFeaturedTag,
  removeFromProfile,
  showFeaturedTags,
  suggestFeaturedTags,
} from './feature.ts'
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
]
