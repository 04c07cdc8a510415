/**
 * The parameters of scoring: an item that is used at least `threshold` times and more than expected
 * gets a score, which is halved every `half_life_s` seconds. The formulas are the SQL functions
 * `trend_score` and `decayed`.
 */

/**
 * The time for which the highest score of a hashtag or link counts, decaying; a lower later score
 * does not replace it.
 */
const PEAK_KEPT_S = 2 * 86_400

export const TAG_SCORING = { threshold: 5, half_life_s: 4 * 3600, peak_kept_s: PEAK_KEPT_S } as const
export const LINK_SCORING = { threshold: 5, half_life_s: 8 * 3600, peak_kept_s: PEAK_KEPT_S } as const

/**
 * Hashtags and links below this score do not trend. Their remaining score is stored, so that it
 * does not make them rise again.
 */
export const MIN_RISE = 1

/**
 * Statuses lose their score with age. Older ones than the window are skipped: after two days one
 * would need nine million boosts. The `limit` highest are stored, whether moderators allow them or
 * not.
 */
export const STATUS_SCORING = {
  threshold: 5,
  half_life_s: 3600,
  window_s: 2 * 86_400,
  least_score: 0.3,
  limit: 1_000,
} as const
