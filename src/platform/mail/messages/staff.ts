import type { Permission } from '../../../core/permissions.ts'
import { c, query, type Runner } from '../../database/index.ts'
import type { NoticeKind } from './kind.ts'
import { sendNotice } from './notice.ts'

const findStaff = query('platform/mail/messages/staff', { permission: c.text, subject: c.text }, { id: c.id })

/** Who hears of what: those with the permission, and the name under which somebody's preferences may do without. */
const SUBJECTS = {
  new_appeal: { permission: 'manage_appeals', subject: 'appeal' },
  new_pending_account: { permission: 'manage_users', subject: 'pending_account' },
  new_trends: { permission: 'manage_taxonomies', subject: 'trends' },
  registrations_guarded: { permission: 'manage_settings', subject: 'registrations' },
} as const satisfies Partial<Record<NoticeKind, { permission: Permission; subject: string }>>

/** Writes to all of the staff whom something concerns, in the transaction that makes what it tells of. */
export async function notifyStaff(
  runner: Runner,
  kind: keyof typeof SUBJECTS,
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { permission, subject } = SUBJECTS[kind]
  for (const { id } of await runner.run(findStaff, { permission, subject }))
    await sendNotice(runner, id, kind, { values })
}
