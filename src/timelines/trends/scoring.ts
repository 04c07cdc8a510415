/*
 * How scores are made (api/settings.md, section 4), as the statements take it: what is used at least `threshold` times and more than expected
 * has one, which is halved every `half_life_s` seconds. The formulas are the SQL functions `trend_score` and `decayed`.
 */

/** For so long the highest score of a hashtag or link counts, decaying; a lower one that comes later does not replace it. */
const PEAK_KEPT_S = 2 * 86_400

export const TAG_SCORING = { threshold: 5, half_life_s: 4 * 3600, peak_kept_s: PEAK_KEPT_S } as const
export const LINK_SCORING = { threshold: 5, half_life_s: 8 * 3600, peak_kept_s: PEAK_KEPT_S } as const

/** Hashtags and links with less do not trend any more; what they have left is kept all the same, so that they do not rise again by it. */
export const MIN_RISE = 1

/**
 * Statuses lose their score with their age. Those older than the window are not looked at: after two days one would need nine million boosts.
 * `most` are kept, whether moderators allow them or not.
 */
export const STATUS_SCORING = {
  threshold: 5,
  half_life_s: 3600,
  window_s: 2 * 86_400,
  least_score: 0.3,
  most: 1_000,
} as const
