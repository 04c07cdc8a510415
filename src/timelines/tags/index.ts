/** Hashtags: rendering, counting, following, featuring and their review by moderators. */
export { unfeatureTag, storeFeatured } from './feature.ts'
export { firstDay, HISTORY_DAYS, makeHistory, type DayOfUse } from './history.ts'
export { renderTags } from './render.ts'
export {
  findReviewedTag,
  findReviewedTags,
  renderReviewedTags,
  reviewedTags,
  reviewTag,
  type ReviewedTag,
  type TagReview,
} from './review.ts'
