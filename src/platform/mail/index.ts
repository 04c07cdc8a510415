export { openMail, type Letter, type Mail, type MailOptions } from './mail.ts'
