/** E-mails: composed in the recipient's language, sent by jobs. */
export { composeEmail, type Recipient } from './compose.ts'
export { nameInMail, withoutBidiControls } from './name_in_mail.ts'
export { sendNotice } from './notice.ts'
export { notifyStaff } from './staff.ts'
