import { c, query } from '../../platform/database/index.ts'

/** Finds the inboxes to which changes of a local account are delivered. */
export const findAccountInboxes = query(
  'federation/send/account_inboxes',
  { account: c.id, everybody: c.boolean },
  { inbox: c.text },
)
