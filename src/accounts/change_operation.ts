import type { Id } from '../core/id.ts'
import type { Scope } from '../core/scopes.ts'
import { operation, param, type Context } from '../platform/http/index.ts'
import { findAccount } from './find_account.ts'
import { renderRelationship } from './relationship.ts'

/**
 * Declares an operation that changes the caller's relationship with an account, and responds with
 * the relationship after the change.
 * @param actions the last segments of its paths, below `/api/v1/accounts/:id/`
 */
export const changeOperation = (
  actions: readonly string[],
  scopes: readonly Scope[],
  summary: string,
  change: (context: Context<'user'>, target: Id) => Promise<unknown>,
) =>
  operation({
    method: 'POST',
    path: actions.map(action => `/api/v1/accounts/:id/${action}`),
    auth: 'user',
    scopes,
    params: { id: param.id() },
    returns: 'Relationship',
    summary,
    async handle({ id }, context) {
      await findAccount(context, context.viewer, id)
      await change(context, id)
      return renderRelationship(context, context.viewer, id)
    },
  })
