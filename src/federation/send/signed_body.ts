import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { signDocument } from '../document_signatures/index.ts'
import { idOf, isPublicAudience, listOf, parseObject, typesOf, type JsonObject } from '../protocol/index.ts'

const keep = query('federation/send/keep_signed', { id: c.id, body: c.text }, {})

const isPublic = (activity: JsonObject): boolean =>
  [...listOf(activity['to']), ...listOf(activity['cc'])].some(one => isPublicAudience(idOf(one) ?? ''))

/**
 * Whether others may pass it on: what is public, unless documents are only for those who sign their
 * requests; a deletion always.
 */
function mayBePassedOn({ settings }: Services, activity: JsonObject): boolean {
  if (typesOf(activity).includes('Delete')) return true
  return isPublic(activity) && !settings.get('authorized_fetch') && !settings.get('limited_federation_mode')
}

async function sign(services: Services, id: Id, sender: Id, body: string): Promise<string> {
  const activity = parseObject(body)
  if (!activity || activity['signature'] !== undefined) return body
  // A forwarded activity carries its own server's signature.
  if (!idOf(activity['actor'])?.startsWith(`${services.config.publicUrl}/`)) return body
  if (!mayBePassedOn(services, activity)) return body
  const signed = JSON.stringify(await signDocument(services, activity, sender))
  await services.database.run(keep, { id, body: signed })
  return signed
}

const MAX_RECENT = 100
/** The jobs that deliver one activity start together; only one of them signs it. */
const recentOf = perServer(() => new LRUCache<Id, Promise<string>>({ max: MAX_RECENT }))

/**
 * The text of an activity that leaves, with a signature inside if others may pass it on. It is
 * signed once, at the first delivery, and kept.
 */
export function signedBody(services: Services, id: Id, sender: Id | null, body: string): Promise<string> {
  if (sender === null) return Promise.resolve(body)
  const recent = recentOf(services)
  const known = recent.get(id)
  if (known) return known
  const signing = sign(services, id, sender, body)
  recent.set(id, signing)
  signing.catch(() => recent.delete(id))
  return signing
}
