import { c, query } from '../../platform/database/index.ts'

/** Finds the inboxes of remote followers of local accounts, except those on one host. */
export const findFollowersInboxes = query(
  'federation/send/followers_inboxes',
  { accounts: c.ids, without: c.text },
  { inbox: c.text },
)
