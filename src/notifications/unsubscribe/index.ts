/** The unsubscribe links in e-mails, and their page. */
export { unsubscribeLink } from './links.ts'
