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
 * The effects of deleting the accounts of a domain: `members` of this server lose `follows` of
 * these accounts and `followers` among them.
 */
export type Losses = Omit<Row<typeof measure.columns>, 'domain'>

/**
 * The losses by domain; domains without known accounts are omitted.
 * @param below includes the subdomains
 */
export async function lossesOf(
  runner: Runner,
  domains: readonly string[],
  below: boolean,
): Promise<ReadonlyMap<string, Losses>> {
  const rows = await runner.run(measure, { domains: [...domains], below })
  return new Map(rows.map(({ domain, ...losses }) => [domain, losses]))
}
