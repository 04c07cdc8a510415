/** Account deletion, by the owner, a moderator or the operator. */
export { notifyOfDeletion } from './deletion_email.ts'
export { emptyAccount, removeAccount, requestRemoval, type Removal } from './remove.ts'
