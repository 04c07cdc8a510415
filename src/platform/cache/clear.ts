import { c, query, type Runner } from '../database/index.ts'

const clear = query('platform/cache/clear', { what: c.text }, { events: c.events })

/** Makes every running server clear its memory: everything, or the feeds. */
export const clearCaches = async (runner: Runner, scope: 'all' | 'feeds'): Promise<void> =>
  void (await runner.run(clear, { what: scope }))
