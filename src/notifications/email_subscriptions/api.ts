import { findAccount, ValidationErrors } from '../../accounts/index.ts'
import { empty, operation, param } from '../../platform/http/index.ts'
import { subscribe } from './subscribe.ts'

/** Subscribes an address to the posts of an account. */
export const subscribeByApi = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/email_subscriptions',
  auth: 'public',
  scopes: [],
  params: { id: param.id(), email: param.string({ default: '' }) },
  returns: '{}',
  summary: "Subscribe an e-mail address to a local account's posts",
  async handle({ id, email }, context) {
    const account = await findAccount(context, null, id)
    if (account.suspended || !account.emailSubscriptions) return empty(404)
    if (await subscribe(context, account, email)) {
      const errors = new ValidationErrors()
      errors.add('email', 'E-mail address', 'ERR_TAKEN', 'has already been taken')
      errors.throwIfAny()
    }
    return {}
  },
})
