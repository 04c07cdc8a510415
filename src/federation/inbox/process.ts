import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { receiveActivity } from '../receive/index.ts'
import { parseObject, typesOf, type JsonObject } from '../terms/index.ts'

const findStanding = query('federation/inbox/standing', { account: c.id }, { suspended: c.boolean, stale: c.boolean })

/** What a suspended account may still do: all else that it sends is ignored. */
const ALLOWED_TO_SUSPENDED = new Set(['Delete', 'Reject', 'Undo', 'Update'])

interface Delivered {
  readonly activity: JsonObject
  /** The URI of the actor that signed the request. */
  readonly actor: string
  readonly recipient: Id | undefined
}

function parseDelivered(payload: unknown): Delivered {
  const [body, actor, recipient] = ['body', 'actor', 'recipient'].map(name => memberOf(payload, name))
  const activity = typeof body === 'string' ? parseObject(body) : undefined
  if (!activity || typeof actor !== 'string') throw new Error('the payload has no activity')
  return { activity, actor, recipient: typeof recipient === 'string' ? parseId(recipient) : undefined }
}

/** The account of an actor, looked at again when it is older than a day and its server answers. */
async function currentAccount(services: Services, uri: string): Promise<{ id: Id; suspended: boolean } | undefined> {
  const id = await resolveActor(services, uri)
  const standing = id === undefined ? undefined : await services.database.one(findStanding, { account: id })
  if (id === undefined || !standing) return undefined
  if (!standing.stale || standing.suspended) return { id, suspended: standing.suspended }
  try {
    await resolveActor(services, uri, { refresh: true })
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
  }
  const now = await services.database.one(findStanding, { account: id })
  return now && { id, suspended: now.suspended }
}

/** Processes what was delivered. Those of one actor run in order. */
export const receive = job<Delivered, Services>(
  'federation.receive',
  parseDelivered,
  async ({ activity, actor: actorUri, recipient }, services) => {
    const account = await currentAccount(services, actorUri)
    if (!account) return
    if (account.suspended && !typesOf(activity).some(type => ALLOWED_TO_SUSPENDED.has(type))) return
    await receiveActivity(services, { activity, actor: account.id, actorUri, recipient })
  },
  { attempts: 9, priority: 5 },
)
