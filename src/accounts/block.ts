import { c, query } from '../platform/database/index.ts'
import { operation, param } from '../platform/http/index.ts'
import { findAccount } from './known.ts'
import { changePair, renderRelationship } from './relationship.ts'

const blockAccount = query('accounts/block', { viewer: c.id, target: c.id }, { events: c.events })
const unblockAccount = query('accounts/unblock', { viewer: c.id, target: c.id }, { events: c.events })

const block = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/block',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  params: { id: param.id() },
  returns: 'Relationship',
  summary: 'Block an account',
  async handle({ id }, context) {
    const { viewer, database } = context
    await findAccount(context, viewer, id)
    if (id !== viewer.id) {
      await changePair(database, viewer.id, id, transaction =>
        transaction.run(blockAccount, { viewer: viewer.id, target: id }),
      )
    }
    return renderRelationship(context, viewer, id)
  },
})

const unblock = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/unblock',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  params: { id: param.id() },
  returns: 'Relationship',
  summary: 'Unblock an account',
  async handle({ id }, context) {
    await findAccount(context, context.viewer, id)
    await context.database.run(unblockAccount, { viewer: context.viewer.id, target: id })
    return renderRelationship(context, context.viewer, id)
  },
})

export const operations = [block, unblock]
