import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

/** The columns of a rule, which are also the members of the entity Admin::IpBlock. */
export const IP_BLOCK_COLUMNS = {
  id: c.id,
  ip: c.text,
  severity: c.text,
  comment: c.text,
  created_at: c.timestamp,
  expires_at: c.nullable(c.timestamp),
} as const
const find = query('moderation/ip_blocks/find', { id: c.id }, IP_BLOCK_COLUMNS)
const findPage = query(
  'moderation/ip_blocks/page',
  {
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  IP_BLOCK_COLUMNS,
)

/** A rule about a network. */
export type IpBlock = Row<typeof IP_BLOCK_COLUMNS>

export const findIpBlock = (runner: Runner, id: Id): Promise<IpBlock | undefined> => runner.one(find, { id })

/** A page of the rules, newest first, including rules that have just expired. */
export const findIpBlocks = (runner: Runner, range: Range): Promise<IpBlock[]> =>
  runner.run(findPage, rangeParameters(range))
