/** What is used more than usual: hashtags, links, statuses. */
export { findTrendingStatuses, findTrendingTags } from './find.ts'
export { refreshTrends } from './refresh.ts'
export { decide, type Reviewed } from './review.ts'
export { findTrendingLink } from './trending_link.ts'
