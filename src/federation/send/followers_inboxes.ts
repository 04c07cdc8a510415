import { c, query } from '../../platform/database/index.ts'

/** The inboxes of the followers of local accounts on other servers, without those of one host. */
export const findFollowersInboxes = query(
  'federation/send/followers_inboxes',
  { accounts: c.ids, without: c.text },
  { inbox: c.text },
)
