/**
 * What each cache may take of the memory for what is kept (`CACHE_MB`); together all of it. Feeds and statuses have most, because there are
 * as many as people and pages.
 */
export const SHARES = {
  statuses: 0.28,
  accounts: 0.11,
  /**
   * Home and list feeds of people who read or stream; a full one takes 20 kB. Those that are streamed are kept beyond it. Were there less
   * room than people who poll by turns, each would find that theirs has just been forgotten.
   */
  feeds: 0.3,
  /** Whom these people follow, block and mute: of those whose feeds are kept the feeds hold them too. */
  relations: 0.1,
  /** Whole answers to clients that are not signed in (src/platform/http/anonymous). */
  answers: 0.08,
  preview_cards: 0.03,
  filters: 0.03,
  authors: 0.02,
  tags: 0.015,
  suggestions: 0.01,
  custom_emojis: 0.015,
  announcements: 0.005,
  site_pictures: 0.005,
} as const

export type CacheName = keyof typeof SHARES

/** The bound of a cache. */
export const shareOf = (name: CacheName, { cacheBytes }: { readonly cacheBytes: number }): number =>
  Math.floor(cacheBytes * SHARES[name])
