/** Automated deletion: old statuses are deleted by the policy of their author. */
export { AGES_DAYS, findDeletionPolicy, setDeletionPolicy } from './policy.ts'
