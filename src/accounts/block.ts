import type { Id } from '../core/id.ts'
import { c, query, type Database, type Runner } from '../platform/database/index.ts'
import { changeOperation } from './change_operation.ts'
import { changePair } from './relationship.ts'

const blockAccount = query('accounts/block', { viewer: c.id, target: c.id }, { sent: c.integer, events: c.events })
const unblockAccount = query('accounts/unblock', { viewer: c.id, target: c.id }, { events: c.events })

/** Stores a block with its effects. Call it in `changePair`, or after `lockPair`. */
export async function storeBlock(transaction: Runner, viewer: Id, target: Id): Promise<void> {
  await transaction.run(blockAccount, { viewer, target })
}

/** Blocks an account, which must be another one. */
export async function block(database: Database, viewer: Id, target: Id): Promise<void> {
  await changePair(database, viewer, target, transaction => storeBlock(transaction, viewer, target))
}

/** @returns whether there was a block */
export async function unblock(runner: Runner, viewer: Id, target: Id): Promise<boolean> {
  const ended = await runner.one(unblockAccount, { viewer, target })
  return ended?.events !== null
}

const blockOperation = changeOperation(
  ['block'],
  ['follow', 'write:blocks'],
  'Block an account',
  async ({ database, viewer }, target) => {
    if (target !== viewer.id) await block(database, viewer.id, target)
  },
)

const unblockOperation = changeOperation(
  ['unblock'],
  ['follow', 'write:blocks'],
  'Unblock an account',
  ({ database, viewer }, target) => unblock(database, viewer.id, target),
)

export const operations = [blockOperation, unblockOperation]
