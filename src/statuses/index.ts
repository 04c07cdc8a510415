/**
 * Statuses and everything that belongs to them: polls, quotes, preview cards, filters, translation,
 * scheduled statuses. May import core, platform, media and accounts. Begin with `post_status.ts`
 * and `render.ts`.
 */
export { authors } from './authors.ts'
export { bookmark, unbookmark } from './bookmark.ts'
export { ADDRESSED, uriOf, urlOf, type Addressed } from './urls.ts'
export { POSTED_VISIBILITIES } from './draft.ts'
export { post } from './post_status.ts'
export { findThread } from './context.ts'
export { addFavourite, removeFavourite } from './favourite.ts'
export { removeStatus, removeStatuses } from './delete_status.ts'
export { findSharedView, type Searched } from './shared_view.ts'
export { factsOf, type StatusFacts, type Visibility } from './event_facts.ts'
export { searchText, type StatusFragment } from './fragment.ts'
export { statusIdIn } from './id_in_url.ts'
export { statusFragments } from './load.ts'
export { markSensitive } from './mark_sensitive.ts'
export { endQuote } from './quotes.ts'
export type { RenderOptions } from './status_json.ts'
export { prefetchOwn, prefetchPage, prefetchViewer, type StatusOutline } from './prefetch.ts'
export { interactionIndex } from './interaction_index.ts'
export { allVisible, findVisible } from './visible.ts'
export { changesVisibility } from './viewer_states.ts'
export { quotePolicyOf, type QuoteGroup } from './quote_approval.ts'
export { renderPage, renderPublicStatus, renderStatus, renderStatuses } from './render.ts'
