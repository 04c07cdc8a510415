/**
 * Why an e-mail could not be sent.
 * - recipient: the mail server refuses the recipient permanently
 * - message: it refuses this e-mail permanently, but not the recipient
 * - later: it refuses this e-mail for now
 * - unknown: it was transmitted completely but not acknowledged: it may have arrived
 * - server: the mail server could not be reached or refuses this server; other e-mails fail too
 */
export type MailFailureKind = 'recipient' | 'message' | 'later' | 'unknown' | 'server'

/** The failure to send an e-mail. */
export class MailFailure extends Error {
  readonly kind: MailFailureKind

  constructor(kind: MailFailureKind, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'MailFailure'
    this.kind = kind
  }
}

const PERMANENT = 500
/** Enhanced codes (RFC 3463) of refusals by policy: they are about the sender or the content. */
const POLICY = /^5\d\d[ -]5\.7\./

const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

function kindOf(error: unknown, transmitted: boolean): MailFailureKind {
  const [code, command, response] = ['responseCode', 'command', 'response'].map(name => member(error, name))
  if (typeof code === 'number' && (command === 'RCPT TO' || command === 'DATA')) {
    if (code < PERMANENT) return 'later'
    return command === 'RCPT TO' && !POLICY.test(String(response)) ? 'recipient' : 'message'
  }
  return transmitted ? 'unknown' : 'server'
}

/** @param transmitted whether all of the e-mail was handed over before the error of nodemailer */
export const failureOf = (error: unknown, transmitted: boolean): MailFailure =>
  new MailFailure(kindOf(error, transmitted), error)
