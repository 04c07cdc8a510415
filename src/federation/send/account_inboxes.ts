import { c, query } from '../../platform/database/index.ts'

/** The inboxes that receive changes of a local account. */
export const findAccountInboxes = query(
  'federation/send/account_inboxes',
  { account: c.id, everybody: c.boolean },
  { inbox: c.text },
)
