/** Hashtags, links and statuses that are used more than usual. */
export { findTrendingStatuses, findTrendingTags } from './find.ts'
export { refreshTrends } from './refresh.ts'
export { decide, type ReviewedKind } from './review.ts'
export { findTrendingLink } from './trending_link.ts'
export { showTrendingLinks, showTrendingStatuses, showTrendingTags } from './show_part.ts'
