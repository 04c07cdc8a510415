import { deleteOldStatuses } from './delete_old.ts'

export const jobs = [deleteOldStatuses]
