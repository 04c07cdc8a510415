/**
 * What each cache may take of the memory for what is rendered (`CACHE_MB`); together all of it. Statuses have half, because pages are made of
 * them and each has its own; the others are small or few.
 */
export const SHARES = {
  statuses: 0.5,
  accounts: 0.2,
  /** Whole answers to clients that are not signed in (src/http/anonymous). */
  answers: 0.125,
  preview_cards: 0.05,
  filters: 0.04,
  authors: 0.02,
  tags: 0.02,
  suggestions: 0.015,
  custom_emojis: 0.015,
  announcements: 0.01,
  site_pictures: 0.005,
} as const

export type CacheName = keyof typeof SHARES

/** The bound of a cache. */
export const shareOf = (name: CacheName, { cacheBytes }: { readonly cacheBytes: number }): number =>
  Math.floor(cacheBytes * SHARES[name])
