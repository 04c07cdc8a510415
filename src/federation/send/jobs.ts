import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { deliver } from './deliver.ts'
import { tellAccount } from './tell_account.ts'
import { tellLike } from './tell_like.ts'
import { tellRelation } from './tell_relation.ts'
import { tellStatus } from './tell_status.ts'

const forget = query('federation/send/forget_outgoing', {}, {})

/** Deletes activities that were delivered or given up. */
const forgetOutgoing = job(
  'federation.forget_outgoing',
  () => null,
  async (_, { database }: Services) => void (await database.run(forget, {})),
  { cron: '23 5 * * *', attempts: 3 },
)

export const jobs = [tellRelation, tellLike, tellStatus, tellAccount, deliver, forgetOutgoing]
