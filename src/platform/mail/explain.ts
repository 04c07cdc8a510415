const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** What an operator can do about errors of the mail server, by code or message. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /self.signed|unable to (?:verify|get)|UNABLE_TO|DEPTH_ZERO|issuer/i,
    'its certificate is from an authority that is not known here: name the authority’s file in NODE_EXTRA_CA_CERTS',
  ],
  [/altname|not in the cert/i, 'its certificate is for another name: use that name in SMTP_URL'],
  [/expired/i, 'its certificate has expired'],
  [
    /wrong version number|packet length|Greeting never received/i,
    'smtps:// begins with TLS (port 465), smtp:// without (ports 587 and 25): use the one that fits the port',
  ],
  [/EAUTH/, 'it refuses the user and password of SMTP_URL'],
  [
    /\bEHLO\)|\bHELO\b|fully.qualified/i,
    'it refuses the name by which this server greets it: set one that the DNS knows, by ?name=mail.example.com in SMTP_URL',
  ],
  [/EENVELOPE|EMESSAGE/, 'it refuses the sender (MAIL_FROM) or the recipient'],
  [/STARTTLS|ETLS/, 'it offers no TLS, which a password needs: allow that with ?requireTLS=false in SMTP_URL'],
  [
    /ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EDNS|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/,
    'it cannot be reached: check host and port',
  ],
]

/** One line about a failure to send an e-mail: what happened, and what the operator can do. */
export function explainMailError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const causes = [error, ...(error.cause instanceof Error ? [error.cause] : [])]
  const facts = causes.map(one => `${codeOf(one)} ${one.message}`).join(' ')
  const advice = ADVICE.find(([pattern]) => pattern.test(facts))?.[1]
  const message = error.message.replace(/\s+/g, ' ')
  return advice === undefined ? message : `${message} (${advice})`
}
