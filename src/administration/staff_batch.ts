import type { Id } from '../core/id.ts'
import type { Permission } from '../core/permissions.ts'
import { param, type AnyOperation } from '../platform/http/index.ts'
import { staffForm, type Staff } from './staff_operation.ts'

/** The maximum number of entries that one batch changes. */
const MAX_ENTRIES = 500

interface StaffBatch<C extends string> {
  readonly path: string
  readonly summary: string
  /** The role needs any one of these. */
  readonly permissions: readonly Permission[]
  /** The values of the buttons. */
  readonly changes: readonly C[]
  /** Those whose buttons are `confirmed`. */
  readonly confirmed?: readonly C[]
  /** The path of the list, to which the browser returns. */
  readonly list: string
  /** Changes the entries that exist, and returns their number. */
  act(change: C, ids: readonly Id[], staff: Staff): Promise<number>
}

/**
 * Declares the operation that the buttons of a `batch` submit to. The field `back` is the address
 * within the list to return to.
 */
export const staffBatch = <const C extends string>(declaration: StaffBatch<C>): AnyOperation => {
  const { path, summary, permissions, changes, confirmed = [], list, act } = declaration
  return staffForm({
    path,
    summary,
    permissions,
    params: {
      change: param.enumeration(changes),
      ids: param.ids({ default: [], max: MAX_ENTRIES, scalar: true }),
      sure: param.boolean({ default: false }),
      back: param.string({ optional: true }),
    },
    async act({ change, ids, sure, back }, staff) {
      const to = back !== undefined && back.startsWith(`${list}?`) ? back : list
      if (ids.length === 0) return { to, alert: staff.t('staff.batch.none') }
      if (!sure && confirmed.includes(change)) return { to, alert: staff.t('accounts.not_sure') }
      return { to, notice: staff.t('staff.batch.done', { count: await act(change, ids, staff) }) }
    },
  })
}
