/** The links in e-mails that end them, and their page. */
export { unsubscribeLink } from './links.ts'
