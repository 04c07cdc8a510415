import type { Permission } from '../../../core/permissions.ts'
import { c, query, type Runner } from '../../database/index.ts'
import type { TextKey } from '../../i18n/index.ts'
import type { NoticeKind } from './kind.ts'
import { sendNotice } from './notice.ts'

const findStaff = query('platform/mail/messages/staff', { permission: c.text, subject: c.text }, { id: c.id })

/** The permission of each subject's recipients, and the preference with which a user opts out. */
const SUBJECTS = {
  new_appeal: { permission: 'manage_appeals', subject: 'appeal' },
  new_pending_account: { permission: 'manage_users', subject: 'pending_account' },
  new_trends: { permission: 'manage_taxonomies', subject: 'trends' },
  registrations_guarded: { permission: 'manage_settings', subject: 'registrations' },
} as const satisfies Partial<Record<NoticeKind, { permission: Permission; subject: string }>>

/**
 * Enqueues an e-mail to all staff concerned, in the transaction that causes it.
 * @param texts more values, by the keys of texts
 */
export async function notifyStaff(
  runner: Runner,
  kind: keyof typeof SUBJECTS,
  values: Readonly<Record<string, string>> = {},
  texts: Readonly<Record<string, TextKey>> = {},
): Promise<void> {
  const { permission, subject } = SUBJECTS[kind]
  for (const { id } of await runner.run(findStaff, { permission, subject }))
    await sendNotice(runner, id, kind, { values, texts })
}
