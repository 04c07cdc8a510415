/**
 * The share of the cache memory (`CACHE_MB`) that each cache may use; the shares add up to 1. Feeds
 * and statuses have most, because they grow with the number of people and pages.
 */
export const SHARES = {
  statuses: 0.215,
  accounts: 0.09,
  /**
   * Home and list feeds of people who read or stream; a full feed takes 20 kB. Feeds that are being
   * streamed are pinned and do not count. If the share were too small for all people who poll, each
   * of them would find that their feed has just been evicted.
   */
  feeds: 0.25,
  /** What the rules of feeds need to know of the newest posts, to read feeds not in memory. */
  recent_posts: 0.065,
  /** The same of older posts. */
  posts: 0.025,
  /** Follows, blocks and mutes of these people. Cached feeds hold them too. */
  relations: 0.08,
  /** Complete responses to anonymous clients (src/platform/http/response_cache). */
  answers: 0.06,
  /** Pages of notifications of people who read them; one of 40 takes 11 kB. */
  notifications: 0.09,
  preview_cards: 0.02,
  filters: 0.02,
  authors: 0.03,
  /** Ids of accounts by username, for the mentions in new statuses. */
  usernames: 0.005,
  tags: 0.015,
  suggestions: 0.01,
  custom_emojis: 0.015,
  announcements: 0.005,
  site_pictures: 0.005,
} as const

export type CacheName = keyof typeof SHARES

/** The size limit of a cache in bytes. */
export const shareOf = (name: CacheName, { cacheBytes }: { readonly cacheBytes: number }): number =>
  Math.floor(cacheBytes * SHARES[name])
