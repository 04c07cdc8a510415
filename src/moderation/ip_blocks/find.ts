import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

const columns = {
  id: c.id,
  ip: c.text,
  severity: c.text,
  comment: c.text,
  created_at: c.timestamp,
  expires_at: c.nullable(c.timestamp),
} as const
const find = query('moderation/ip_blocks/find', { id: c.id }, columns)
const findPage = query(
  'moderation/ip_blocks/page',
  {
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  columns,
)

/** A rule about a network: the entity Admin::IpBlock. */
export type IpBlock = Row<typeof columns>

export const findIpBlock = (runner: Runner, id: Id): Promise<IpBlock | undefined> => runner.one(find, { id })

/** A page of the rules, newest first, including rules that have just expired. */
export const findIpBlocks = (runner: Runner, range: Range): Promise<IpBlock[]> =>
  runner.run(findPage, rangeParameters(range))
