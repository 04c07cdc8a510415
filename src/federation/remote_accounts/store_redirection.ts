import { c, query } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveActor } from './resolve.ts'

const storeTarget = query(
  'federation/remote_accounts/store_redirection',
  { account: c.id, target: c.id },
  { id: c.id, events: c.events },
)

/**
 * Stores the account that the document of an actor names as `movedTo`. Enqueued when the document
 * is stored. The target's own redirection is not resolved: a chain of documents might be endless.
 */
export const storeRedirection = job(
  'federation.store_redirection',
  payload => ({ account: idIn(payload, 'account'), target: memberOf(payload, 'target') }),
  async ({ account, target }, services: Services) => {
    if (typeof target !== 'string') return
    const id = await resolveActor(services, target, { redirections: false })
    if (id !== undefined) await services.database.run(storeTarget, { account, target: id })
  },
  { attempts: 3, priority: 20 },
)
