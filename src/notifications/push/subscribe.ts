import { c, query } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { presentedToken } from '../../platform/http/authorize.ts'
import { operation, param } from '../../platform/http/index.ts'
import { parseKeys } from './keys.ts'
import { encryptToken } from './encrypted_token.ts'
import { PATHS, renderSubscription, subscriptionColumns } from './subscription.ts'
import { chosenSettings, subscriptionParams } from './subscription_params.ts'
import { parseUrl } from '../../core/parse_url.ts'

const subscribe = query(
  'notifications/push/subscribe',
  {
    token: c.id,
    user: c.id,
    endpoint: c.text,
    key_p256dh: c.text,
    key_auth: c.text,
    standard: c.boolean,
    alerts: c.json<object>(),
    policy: c.text,
    sealed_token: c.bytes,
    maximum: c.integer,
  },
  subscriptionColumns,
)

const MAX_CHARACTERS = 4096
/** Each notification is a message to each of them. A person has some devices with some apps. */
const MAX_OF_USER = 50

/** @throws ApiError validation unless it is a URL that messages can be sent to */
function parseEndpoint(text: string): string {
  const url = parseUrl(text)
  if (!url || !/^https?:\/\//i.test(text) || url.hostname === '' || url.username !== '' || url.password !== '') {
    throw validationError('Endpoint is invalid')
  }
  return text
}

const subscription = param.object(
  {
    endpoint: param.string({ trim: true, max: MAX_CHARACTERS, description: 'where messages are sent to' }),
    keys: param.object({
      p256dh: param.string({ trim: true, label: 'Key p256dh', description: 'public key on P-256, base64url' }),
      auth: param.string({ trim: true, label: 'Key auth', description: '16 secret bytes, base64url' }),
    }),
    standard: param.boolean({ default: false, description: 'encryption of RFC 8291 instead of its last draft' }),
  },
  { missing: 400 },
)

export const createPushSubscription = operation({
  method: 'POST',
  path: PATHS,
  auth: 'user',
  scopes: ['push'],
  summary: 'Subscribe the token to push messages, in place of an earlier subscription',
  params: {
    subscription,
    ...subscriptionParams,
    access_token: param.string({ optional: true }),
    bearer_token: param.string({ optional: true }),
  },
  returns: 'WebPushSubscription',
  async handle({ subscription: { endpoint, keys, standard }, data, policy, ...presented }, context) {
    const { token, viewer, request, secrets } = context
    const { access_token = '', bearer_token = '' } = presented
    const secret = presentedToken(request, { access_token, bearer_token })
    if (secret === undefined) throw new ApiError('tokenInvalid')
    const { p256dh, auth } = parseKeys(keys)
    const row = await context.database.one(subscribe, {
      token: token.id,
      user: viewer.userId,
      endpoint: parseEndpoint(endpoint),
      key_p256dh: p256dh,
      key_auth: auth,
      standard,
      ...chosenSettings({ data, policy }),
      sealed_token: encryptToken(secrets.cookieSecret, token.id, secret),
      maximum: MAX_OF_USER,
    })
    if (!row) throw new ApiError('tokenRevoked')
    return renderSubscription(row, context)
  },
})
