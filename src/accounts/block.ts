import type { Id } from '../core/id.ts'
import { c, query, type Database, type Runner } from '../platform/database/index.ts'
import { operation, param } from '../platform/http/index.ts'
import { findAccount } from './known.ts'
import { changePair, renderRelationship } from './relationship.ts'

const blockAccount = query('accounts/block', { viewer: c.id, target: c.id }, { events: c.events })
const unblockAccount = query('accounts/unblock', { viewer: c.id, target: c.id }, { events: c.events })

/** Stores a block with its effects. Call it in `changePair`, or after `lockPair`. */
export async function storeBlock(transaction: Runner, viewer: Id, target: Id): Promise<void> {
  await transaction.run(blockAccount, { viewer, target })
}

/** Blocks an account, which must be another one. */
export async function block(database: Database, viewer: Id, target: Id): Promise<void> {
  await changePair(database, viewer, target, transaction => storeBlock(transaction, viewer, target))
}

export async function unblock(runner: Runner, viewer: Id, target: Id): Promise<void> {
  await runner.run(unblockAccount, { viewer, target })
}

const blockOperation = operation({
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
    if (id !== viewer.id) await block(database, viewer.id, id)
    return renderRelationship(context, viewer, id)
  },
})

const unblockOperation = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/unblock',
  auth: 'user',
  scopes: ['follow', 'write:blocks'],
  params: { id: param.id() },
  returns: 'Relationship',
  summary: 'Unblock an account',
  async handle({ id }, context) {
    await findAccount(context, context.viewer, id)
    await unblock(context.database, context.viewer.id, id)
    return renderRelationship(context, context.viewer, id)
  },
})

export const operations = [blockOperation, unblockOperation]
