import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import { translatorFor, type TextKey } from '../../platform/i18n/index.ts'

const findStrikes = query(
  'auth/appeals/strikes',
  { account: c.id },
  { id: c.id, action: c.text, created_at: c.timestamp, overruled: c.boolean },
)
const findStrike = query(
  'auth/appeals/strike',
  { account: c.id, id: c.id },
  {
    id: c.id,
    action: c.text,
    text: c.text,
    status_ids: c.nullable(c.ids),
    created_at: c.timestamp,
    overruled: c.boolean,
    appeal: c.nullable(c.text),
    state: c.text,
    fresh: c.boolean,
  },
)
const storeAppeal = query(
  'auth/appeals/appeal',
  { account: c.id, strike: c.id, text: c.text },
  { id: c.id, events: c.events },
)

/** A moderation decision about an account, as its owner sees it. */
export interface Strike {
  readonly id: Id
  readonly action: string
  /** The moderators' message. */
  readonly text: string
  /** The reported statuses; null when the decision is not about statuses. */
  readonly status_ids: readonly Id[] | null
  readonly created_at: Date
  /** Whether an appeal was approved. */
  readonly overruled: boolean
  /** The owner's appeal. */
  readonly appeal: string | null
  /** The state of the appeal: approved, rejected or pending. */
  readonly state: string
  /** Whether an appeal is still possible. */
  readonly fresh: boolean
}

export const listStrikes = (database: Database, account: Id) => database.run(findStrikes, { account })

/** A strike of the account; undefined for another account's strike. */
export const strikeOf = (database: Database, account: Id, id: Id): Promise<Strike | undefined> =>
  database.one(findStrike, { account, id })

/** Explains a strike's action to the account's owner. */
export const meaningOf = ({ action }: { readonly action: string }): TextKey => {
  const key = `warning.${action}`
  return translatorFor('en').has(key) ? key : 'warning.none'
}

/**
 * Stores an appeal and sends an e-mail to the staff who decide on it. Returns false if there
 * already is one, or it is too late.
 */
export const storeAppealOf = (database: Database, viewer: Viewer, strike: Strike, text: string): Promise<boolean> =>
  database.transaction(async transaction => {
    if (!(await transaction.one(storeAppeal, { account: viewer.id, strike: strike.id, text }))) return false
    const key = `strike.${strike.action}`
    const action = translatorFor('en').has(key) ? key : 'strike.none'
    await notifyStaff(transaction, 'new_appeal', { person: viewer.username, text }, { action })
    return true
  })
