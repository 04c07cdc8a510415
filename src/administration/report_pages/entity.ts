import type { Id } from '../../core/id.ts'
import type { Json } from '../../platform/http/index.ts'
import type { ShownAccount, ShownStatus } from '../../web/public/index.ts'

interface NestedAccount {
  readonly account: ShownAccount
}

/** The members of the entity Admin::Report that pages show. */
export interface ShownReport {
  readonly id: Id
  readonly action_taken: boolean
  readonly action_taken_at: string | null
  readonly category: 'spam' | 'legal' | 'violation' | 'other'
  readonly comment: string
  readonly forwarded: boolean | null
  readonly created_at: string
  readonly account: NestedAccount
  readonly target_account: NestedAccount
  readonly assigned_account: NestedAccount | null
  readonly action_taken_by_account: NestedAccount | null
  readonly statuses: readonly ShownStatus[]
  readonly rules: readonly { readonly id: Id; readonly text: string }[]
}

/** Parses an entity rendered by this server. */
export const parseReport = ({ text }: Json): ShownReport => JSON.parse(text) as ShownReport

/** The origins of the avatars in a report. */
export const avatarOrigins = (report: ShownReport): string[] =>
  [report.account, report.target_account, report.assigned_account, report.action_taken_by_account].flatMap(nested =>
    nested ? [new URL(nested.account.avatar_static).origin] : [],
  )
