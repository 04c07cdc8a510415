import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { changePolicy, readPolicy, type Category, type Policy, type Verdict } from './policy.ts'

const VERDICTS = ['accept', 'filter', 'drop'] as const

/** The entity NotificationPolicy. */
const render = ({ verdicts, summary }: Policy): object => ({ ...verdicts, summary })

/** The categories of the older API version. */
const FLAGS = {
  filter_not_following: 'for_not_following',
  filter_not_followers: 'for_not_followers',
  filter_new_accounts: 'for_new_accounts',
  filter_private_mentions: 'for_private_mentions',
  filter_bots: 'for_bots',
} as const satisfies Record<string, Category>

/** The entity V1::NotificationPolicy: whether each category is filtered or dropped. */
function renderFlags({ verdicts, summary }: Policy): object {
  const flags = Object.entries(FLAGS).map(([flag, category]) => [flag, verdicts[category] !== 'accept'] as const)
  return { ...Object.fromEntries(flags), summary }
}

/** @throws ApiError validation; its message does not name the parameter */
function readVerdict(value: string | undefined): Verdict | undefined {
  if (value === undefined) return undefined
  const verdict = VERDICTS.find(known => known === value)
  if (!verdict) throw new ApiError('validation')
  return verdict
}

const verdict = (description: string) => param.string({ optional: true, description })
const flag = (description: string) => param.boolean({ optional: true, description })

const verdictOf = (filtered: boolean | undefined): Verdict | undefined =>
  filtered === undefined ? undefined : filtered ? 'filter' : 'accept'

const showPolicy = operation({
  method: 'GET',
  path: '/api/v2/notifications/policy',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show the notification policy, and the number of filtered notifications',
  params: {},
  returns: 'NotificationPolicy',
  handle: async (_, context) => render(await readPolicy(context, context.viewer.id)),
})

const savePolicy = operation({
  method: ['PATCH', 'PUT'],
  path: '/api/v2/notifications/policy',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Change the notification policy: accept, filter or drop',
  params: {
    for_not_following: verdict('accounts that the caller does not follow'),
    for_not_followers: verdict('accounts that have not followed the caller for three days'),
    for_new_accounts: verdict('accounts younger than 30 days that the caller does not follow'),
    for_private_mentions: verdict('private mentions that answer none of the caller, by accounts not followed'),
    for_limited_accounts: verdict('accounts limited by moderators that the caller does not follow'),
    for_bots: verdict('automated accounts that the caller does not follow'),
  },
  returns: 'NotificationPolicy',
  async handle(input, context) {
    await changePolicy(context, context.viewer.id, {
      for_not_following: readVerdict(input.for_not_following),
      for_not_followers: readVerdict(input.for_not_followers),
      for_new_accounts: readVerdict(input.for_new_accounts),
      for_private_mentions: readVerdict(input.for_private_mentions),
      for_limited_accounts: readVerdict(input.for_limited_accounts),
      for_bots: readVerdict(input.for_bots),
    })
    return render(await readPolicy(context, context.viewer.id))
  },
})

const showFlags = operation({
  method: 'GET',
  path: '/api/v1/notifications/policy',
  auth: 'user',
  scopes: ['read:notifications'],
  summary: 'Show which notifications by strangers are not accepted',
  params: {},
  returns: 'V1::NotificationPolicy',
  handle: async (_, context) => renderFlags(await readPolicy(context, context.viewer.id)),
})

const saveFlags = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/notifications/policy',
  auth: 'user',
  scopes: ['write:notifications'],
  summary: 'Change which notifications by strangers are filtered',
  params: {
    filter_not_following: flag('accounts that the caller does not follow'),
    filter_not_followers: flag('accounts that have not followed the caller for three days'),
    filter_new_accounts: flag('accounts younger than 30 days that the caller does not follow'),
    filter_private_mentions: flag('private mentions that answer none of the caller'),
    filter_bots: flag('automated accounts that the caller does not follow'),
  },
  returns: 'V1::NotificationPolicy',
  async handle(input, context) {
    await changePolicy(context, context.viewer.id, {
      for_not_following: verdictOf(input.filter_not_following),
      for_not_followers: verdictOf(input.filter_not_followers),
      for_new_accounts: verdictOf(input.filter_new_accounts),
      for_private_mentions: verdictOf(input.filter_private_mentions),
      for_bots: verdictOf(input.filter_bots),
    })
    return renderFlags(await readPolicy(context, context.viewer.id))
  },
})

export const operations = [showPolicy, savePolicy, showFlags, saveFlags]
