export { openMail, type Email, type Mail } from './mail.ts'
