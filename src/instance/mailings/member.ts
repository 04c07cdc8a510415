import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const find = query(
  'instance/mailings/recipient',
  { user: c.id },
  { email: c.text, locale: c.nullable(c.text), username: c.text },
)

/** A member with a confirmed address; undefined when the user may not be written to. */
export const findMember = (runner: Runner, user: Id): Promise<Row<typeof find.columns> | undefined> =>
  runner.one(find, { user })
