export { deliverOnce, type DeliveryOutcome } from './deliver_once.ts'
export { explainMailError } from './explain.ts'
export { MailFailure } from './failure.ts'
export { openMail, requiresTls, type Email, type Mail } from './mail.ts'
