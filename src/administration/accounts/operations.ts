import { actions } from './actions.ts'
import { listV1, listV2 } from './list.ts'

/** The operations on accounts of the admin API. */
export const operations = [listV1, listV2, ...actions]
