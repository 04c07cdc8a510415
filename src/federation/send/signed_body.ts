import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { signDocument } from '../document_signatures/index.ts'
import { idOf, isPublicAudience, listOf, parseObject, typesOf, type JsonObject } from '../protocol/index.ts'

const store = query('federation/send/store_signed_body', { id: c.id, body: c.text }, {})

const isPublic = (activity: JsonObject): boolean =>
  [...listOf(activity['to']), ...listOf(activity['cc'])].some(one => isPublicAudience(idOf(one) ?? ''))

/**
 * Whether other servers may forward an activity: a Delete always; a public activity unless fetching
 * documents requires a signature.
 */
function isForwardable({ settings }: Services, activity: JsonObject): boolean {
  if (typesOf(activity).includes('Delete')) return true
  return isPublic(activity) && !settings.get('authorized_fetch') && !settings.get('limited_federation_mode')
}

async function sign(services: Services, id: Id, sender: Id, body: string): Promise<string> {
  const activity = parseObject(body)
  if (!activity || activity['signature'] !== undefined) return body
  // A forwarded activity carries its own server's signature.
  if (!idOf(activity['actor'])?.startsWith(`${services.config.publicUrl}/`)) return body
  if (!isForwardable(services, activity)) return body
  const signed = JSON.stringify(await signDocument(services, activity, sender))
  await services.database.run(store, { id, body: signed })
  return signed
}

const MAX_RECENT = 100
/** The jobs that deliver one activity start at the same time; only one of them signs it. */
const recentBodies = perServer(() => new LRUCache<Id, Promise<string>>({ max: MAX_RECENT }))

/**
 * The body of an outgoing activity, with a signature inside if other servers may forward it. The
 * first delivery signs it and stores the result.
 */
export function signedBody(services: Services, id: Id, sender: Id | null, body: string): Promise<string> {
  if (sender === null) return Promise.resolve(body)
  const recent = recentBodies(services)
  const cached = recent.get(id)
  if (cached) return cached
  const signing = sign(services, id, sender, body)
  recent.set(id, signing)
  signing.catch(() => recent.delete(id))
  return signing
}
