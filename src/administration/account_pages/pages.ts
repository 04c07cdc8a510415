import { actionOperations } from './actions.ts'
import { createOperations } from './create.ts'
import { listOperations } from './list.ts'
import { showAccount } from './one.ts'
import { statusOperations } from './statuses.ts'

export const pageOperations = [
  ...listOperations,
  ...createOperations,
  showAccount,
  ...actionOperations,
  ...statusOperations,
]
