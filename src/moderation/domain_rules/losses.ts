import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const measure = query(
  'moderation/domain_rules/losses',
  { domain: c.text, below: c.boolean },
  { accounts: c.integer, follows: c.integer, followers: c.integer, members: c.integer, statuses: c.integer },
)

/**
 * What is deleted with the accounts of a domain: `follows` of them by `members` of this server, and
 * `followers` that these members have there.
 */
type Losses = Row<typeof measure.columns>

/** @param below with the subdomains */
export async function lossesOf(runner: Runner, domain: string, below: boolean): Promise<Losses> {
  const row = await runner.one(measure, { domain, below })
  if (!row) throw new Error('nothing was counted')
  return row
}
