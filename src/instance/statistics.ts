import { c, query } from '../platform/database/index.ts'
import { perServer, type Services } from '../platform/services.ts'

const countStatistics = query(
  'instance/statistics',
  {},
  {
    user_count: c.integer,
    status_count: c.float,
    domain_count: c.integer,
    active_month: c.integer,
    active_half_year: c.integer,
  },
)

/** Rendered documents are cached for three minutes. */
const KEEP_MS = 3 * 60 * 1000

export interface Statistics {
  user_count: number
  status_count: number
  domain_count: number
  /** Distinct users of the last four weeks; 0 in limited federation mode. */
  active_month: number
  active_half_year: number
}

/** The instance's statistics, counted at most once in three minutes. */
export const statistics = perServer(({ database, settings }: Services) => {
  let known: { at: number; figures: Promise<Statistics> } | undefined
  const count = (): Promise<Statistics> => {
    const now = performance.now()
    if (known && now - known.at < KEEP_MS) return known.figures
    const figures = database.one(countStatistics, {}).then(row => {
      if (!row) throw new Error('instance/statistics returned no row')
      return row
    })
    const counted = { at: now, figures }
    known = counted
    figures.catch(() => {
      if (known === counted) known = undefined
    })
    return figures
  }
  return async (): Promise<Statistics> => {
    const figures = await count()
    return settings.get('limited_federation_mode') ? { ...figures, active_month: 0, active_half_year: 0 } : figures
  }
})
