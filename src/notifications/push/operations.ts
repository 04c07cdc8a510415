import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, type AnyOperation } from '../../platform/http/index.ts'
import { createPushSubscription } from './subscribe.ts'
import { PATHS, renderSubscription, subscriptionColumns } from './subscription.ts'
import { endPushSubscription } from './unsubscribe.ts'
import { chosenSettings, subscriptionParams } from './subscription_params.ts'

const findSubscription = query('notifications/push/find', { token: c.id }, subscriptionColumns)
const changeSubscription = query(
  'notifications/push/change',
  { token: c.id, alerts: c.json<object>(), policy: c.text },
  subscriptionColumns,
)
const deleteSubscription = query('notifications/push/delete', { token: c.id }, {})

const showPushSubscription = operation({
  method: 'GET',
  path: PATHS,
  auth: 'user',
  scopes: ['push'],
  summary: 'Show the push subscription of the token',
  params: {},
  returns: 'WebPushSubscription',
  async handle(_, context) {
    const row = await context.database.one(findSubscription, { token: context.token.id })
    if (!row) throw new ApiError('routeNotFound')
    return renderSubscription(row, context)
  },
})

const changePushSubscription = operation({
  method: ['PUT', 'PATCH'],
  path: PATHS,
  auth: 'user',
  scopes: ['push'],
  summary: 'Change which notifications are pushed, as a whole',
  params: subscriptionParams,
  returns: 'WebPushSubscription',
  async handle(parameters, context) {
    const row = await context.database.one(changeSubscription, {
      token: context.token.id,
      ...chosenSettings(parameters),
    })
    if (!row) throw new ApiError('routeNotFound')
    return renderSubscription(row, context)
  },
})

/** Succeeds also if there is none. */
const removePushSubscription = operation({
  method: 'DELETE',
  path: PATHS,
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

export const operations: readonly AnyOperation[] = [
  createPushSubscription,
  showPushSubscription,
  changePushSubscription,
  removePushSubscription,
  endPushSubscription,
]
