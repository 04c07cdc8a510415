import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const find = query(
  'federation/self_destruct/progress',
  {},
  { accounts: c.integer, sent: c.integer, waiting: c.integer },
)

/**
 * The numbers of accounts that other servers know, of accounts whose deletion was sent, and of
 * deliveries that wait for an attempt.
 */
type Progress = Row<typeof find.columns>

export const readProgress = async (runner: Runner): Promise<Progress> =>
  (await runner.one(find, {})) ?? { accounts: 0, sent: 0, waiting: 0 }
