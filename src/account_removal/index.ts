/** The end of an account, whoever asks for it: its owner, a moderator, the operator. */
export { emptyAccount, removeAccount, requestRemoval, type Removal } from './remove.ts'
