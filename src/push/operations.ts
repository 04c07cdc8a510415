import { c, query, type Row } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { operation } from '../http/index.ts'
import type { Services } from '../services.ts'

const findSubscription = query(
  'push/find',
  { token: c.id },
  { id: c.id, endpoint: c.text, standard: c.boolean, alerts: c.json<Record<string, boolean>>(), policy: c.text },
)
const deleteSubscription = query('push/delete', { token: c.id }, {})

/** Both spellings are the same (api/conventions.md, section 18). */
const path = ['/api/v1/push/subscription', '/api/v1/push/subscriptions'] as const

/** The entity WebPushSubscription. Its id is a number: the subscriptions of a server are counted from 1. */
const render = (row: Row<typeof findSubscription.columns>, { secrets }: Services): object => ({
  id: Number(row.id),
  endpoint: row.endpoint,
  standard: row.standard,
  alerts: row.alerts,
  server_key: secrets.vapid.publicKey,
  policy: row.policy,
})

const showPushSubscription = operation({
  method: 'GET',
  path,
  auth: 'user',
  scopes: ['push'],
  summary: 'Show the push subscription of the token',
  params: {},
  returns: 'WebPushSubscription',
  async handle(_, context) {
    const row = await context.database.one(findSubscription, { token: context.token.id })
    if (!row) throw new Failure('routeNotFound')
    return render(row, context)
  },
})

/** Also when there is none. */
const removePushSubscription = operation({
  method: 'DELETE',
  path,
  auth: 'user',
  scopes: ['push'],
  summary: 'Remove the push subscription of the token',
  params: {},
  returns: '{}',
  async handle(_, { database, token }) {
    await database.run(deleteSubscription, { token: token.id })
    return {}
  },
})

export const operations = [showPushSubscription, removePushSubscription]
