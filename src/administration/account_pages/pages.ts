import { actionOperations } from './actions.ts'
import { createOperations } from './create.ts'
import { listOperations } from './list.ts'
import { showAccount } from './account_page.ts'
import { statusOperations } from './statuses.ts'
import { upkeepOperations } from './upkeep_actions.ts'

export const pageOperations = [
  ...listOperations,
  ...createOperations,
  showAccount,
  ...actionOperations,
  ...upkeepOperations,
  ...statusOperations,
]
