import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const measure = query(
  'moderation/domain_rules/losses',
  { domains: c.texts, below: c.boolean },
  {
    domain: c.text,
    accounts: c.integer,
    follows: c.integer,
    followers: c.integer,
    members: c.integer,
    statuses: c.integer,
  },
)

/**
 * What is deleted with the accounts of a domain: `follows` of them by `members` of this server, and
 * `followers` that these members have there.
 */
export type Losses = Omit<Row<typeof measure.columns>, 'domain'>

/**
 * By domain; those of which no account is known are left out.
 * @param below with the subdomains
 */
export async function lossesOf(
  runner: Runner,
  domains: readonly string[],
  below: boolean,
): Promise<ReadonlyMap<string, Losses>> {
  const rows = await runner.run(measure, { domains: [...domains], below })
  return new Map(rows.map(({ domain, ...losses }) => [domain, losses]))
}
