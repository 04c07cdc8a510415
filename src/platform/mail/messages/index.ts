/** Letters (e-mails): written in the recipient's language, sent by jobs. */
export { composeLetter, type Recipient } from './compose.ts'
export { notifyByLetter } from './notice.ts'
export { notifyStaff } from './staff.ts'
