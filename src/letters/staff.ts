import { c, query, type Runner } from '../database/index.ts'
import type { NoticeKind } from './kind.ts'
import { notifyByLetter } from './notice.ts'

const findStaff = query('letters/staff', { permission: c.bigint, subject: c.text }, { id: c.id })

/** Who hears of what: the bit of the permission (api/roles.md), and the name under which somebody's preferences may do without. */
const SUBJECTS = {
  new_appeal: { permission: 0x200, subject: 'appeal' },
  new_pending_account: { permission: 0x400, subject: 'pending_account' },
  new_trends: { permission: 0x100, subject: 'trends' },
  registrations_guarded: { permission: 0x40, subject: 'registrations' },
} as const satisfies Partial<Record<NoticeKind, { permission: number; subject: string }>>

/** Writes to all of the staff whom something concerns, in the transaction that makes what it tells of. */
export async function notifyStaff(
  runner: Runner,
  kind: keyof typeof SUBJECTS,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { permission, subject } = SUBJECTS[kind]
  for (const { id } of await runner.run(findStaff, { permission: String(permission), subject }))
    await notifyByLetter(runner, id, kind, { values })
}
