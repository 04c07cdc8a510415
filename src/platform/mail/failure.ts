/**
 * Why an e-mail could not be sent.
 * - recipient: the mail server refuses the recipient permanently
 * - message: it refuses this e-mail permanently, but not the recipient
 * - later: it refuses this e-mail for now, or for a reason that is not clearly the recipient
 * - unknown: it was transmitted completely but not acknowledged: it may have arrived
 * - server: the mail server could not be reached, or refuses this server; other e-mails fail too
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

const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined

/** Enhanced codes (RFC 3463), wherever they are in an answer, but no part of an IP address. */
const ENHANCED = /(?<![\d.])5(?:\.\d{1,3}){2}(?![\d.]*\d)/g
/** The address or its domain does not exist, or its mailbox was closed. */
const NO_RECIPIENT = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'])
const NO_RECIPIENT_TEXT =
  /no such (?:user|recipient|mailbox|address|person)|unknown (?:user|recipient|mailbox|address)|(?:user|recipient|mailbox|address) unknown|unrouteable address|(?:user|recipient|mailbox|address|account)\b.{0,60} (?:not found|does(?: not|n[’']t) exist)|no mailbox|invalid (?:recipient|mailbox)/i
/** Words of reasons that are not the recipient, though the answer may also contain those above. */
const OTHER_REASON = /relay|auth|sender|verif|denied|black|list|block|spam|policy|permitted|rcpthosts/i

/**
 * The kind of a permanent refusal in answer to RCPT TO. Mail servers that pass e-mails on accept
 * nearly every recipient, and refuse this server here when they are not to relay for it. Their
 * answers may quote addresses and other servers, so that many fit both: whatever is not clearly
 * about the recipient is tried again, for this recipient alone.
 */
function kindOfRefusal(code: number, answer: string): MailFailureKind {
  const enhanced = answer.match(ENHANCED) ?? []
  if (enhanced.length > 0 && enhanced.every(found => NO_RECIPIENT.has(found)) && !/sender/i.test(answer))
    return 'recipient'
  const isAbsent = enhanced.length === 0 && NO_RECIPIENT_TEXT.test(answer) && !OTHER_REASON.test(answer)
  return isAbsent && (code === 550 || code === 553) ? 'recipient' : 'later'
}

function kindOf(error: unknown, transmitted: boolean): MailFailureKind {
  const [code, command, response] = ['responseCode', 'command', 'response'].map(name => member(error, name))
  if (typeof code === 'number' && (command === 'RCPT TO' || command === 'DATA')) {
    if (code < PERMANENT) return 'later'
    return command === 'RCPT TO' ? kindOfRefusal(code, String(response)) : 'message'
  }
  return transmitted ? 'unknown' : 'server'
}

/** @param transmitted whether all of the e-mail was handed over before the error of nodemailer */
export const failureOf = (error: unknown, transmitted: boolean): MailFailure =>
  new MailFailure(kindOf(error, transmitted), error)
