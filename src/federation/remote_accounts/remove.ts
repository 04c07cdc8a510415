import { requestRemoval } from '../../accounts/deletion/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'

/**
 * Hides an account that its server has deleted, and deletes it with all its data in the background.
 */
export const removeActor = ({ database }: Services, account: Id): Promise<void> =>
  database.transaction(transaction => requestRemoval(transaction, { account, freesName: true }))
