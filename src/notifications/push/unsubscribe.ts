import { createHash } from 'node:crypto'
import { c, query } from '../../platform/database/index.ts'
import { empty, operation, param } from '../../platform/http/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { seal, unseal } from '../../auth/sessions/index.ts'

const unsubscribe = query('notifications/push/unsubscribe', { subscription: c.id, endpoint_hash: c.bytes }, {})

const PURPOSE = 'push unsubscribe'
const VALID_MS = 48 * 60 * 60 * 1000

const hashEndpoint = (endpoint: string): Buffer => createHash('sha256').update(endpoint).digest()

/**
 * The URL by which a push service can end a subscription without authentication; valid for 48
 * hours.
 */
export function unsubscribeUrl(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  subscription: { id: Id; endpoint: string },
): string {
  const link = [subscription.id, Date.now() + VALID_MS, hashEndpoint(subscription.endpoint).toString('base64url')]
  return `${config.publicUrl}/api/web/push_subscriptions/${seal(secrets.cookieSecret, PURPOSE, link.join(' '))}`
}

/** Always succeeds, so that an old link reveals nothing. */
export const endPushSubscription = operation({
  method: 'DELETE',
  path: '/api/web/push_subscriptions/:token',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  summary: 'End a push subscription by the link that came with a message',
  params: { token: param.string({ description: 'the signed part of the link' }) },
  returns: 'empty body',
  async handle({ token }, { database, secrets }) {
    const [id = '', untilMs = '', hash = ''] = unseal(secrets.cookieSecret, PURPOSE, token)?.split(' ') ?? []
    const subscription = parseId(id)
    if (subscription !== undefined && Number(untilMs) > Date.now()) {
      await database.run(unsubscribe, { subscription, endpoint_hash: Buffer.from(hash, 'base64url') })
    }
    return empty(200)
  },
})
