export { openMail, type Email, type Mail, type MailOptions } from './mail.ts'
