/** The end of an account, whoever asks for it: its owner, a moderator, the operator. */
export { notifyOfDeletion } from './deletion_email.ts'
export { emptyAccount, removeAccount, requestRemoval, type Removal } from './remove.ts'
