/**
 * Administration: the operations below /api/v1/admin and /api/v2/admin, and the pages of
 * administrators and moderators below /admin. The actions themselves are those of `moderation`,
 * `instance` and the other districts, which the command line uses too. It imports web and
 * everything before that. Start with `admin_operation.ts` (API) and `staff_operation.ts` (pages).
 */
export { adminOperation } from './admin_operation.ts'
export { listPage, listParameters } from './admin_list.ts'
export { readStorage } from './measures/index.ts'
export { staffBatch } from './staff_batch.ts'
export { staffForm, staffView, type FormResult, type Staff } from './staff_operation.ts'
export { type StaffPage } from './staff_page.ts'
