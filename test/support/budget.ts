import { BUDGETS, type BudgetName } from '../../src/platform/http/limits/index.ts'
import { sql } from './people.ts'
import type { ServerAddress } from './server.ts'

/**
 * Uses up a part of an account's budget, in the current window and in the next one, which may begin
 * meanwhile.
 */
export async function useBudget(
  server: ServerAddress,
  name: BudgetName,
  account: string,
  amount: number,
): Promise<void> {
  const budget = BUDGETS[name]
  const now = Math.floor(Date.now() / 1000 / budget.windowSeconds) * budget.windowSeconds
  for (const start of [now, now + budget.windowSeconds]) {
    await sql(
      server,
      `insert into rate_counters (name, key, window_start, expires_at, amount)
       values ($1, $2, to_timestamp($3::float8), to_timestamp($3::float8) + interval '2 days', $4)`,
      [budget.name, account, start, amount],
    )
  }
}
