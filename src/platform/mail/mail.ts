import { randomBytes } from 'node:crypto'
import { chmod, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { giveToOwner, makeOwnedFolder } from '../../core/hand_over.ts'
import { failureOf } from './failure.ts'

export interface Email {
  /** A single address. */
  to: string
  subject: string
  text: string
  html: string
  /** The language of the e-mail, as a code. */
  language?: string
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>
}

/** Where an e-mail went. */
export type Delivery = { readonly response: string } | { readonly file: string }

export interface Mail {
  /**
   * Resolves when the mail server has accepted the e-mail (with its answer), or its file is
   * written; rejects with a `MailFailure` otherwise. Called from jobs, which retry.
   */
  send(email: Email): Promise<Delivery>
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; without it e-mails are written to files. */
  smtpUrl?: string | undefined
  /** Sender, such as `Millrace <notifications@example.com>`. */
  from: string
  /** The domain by which the mail server is greeted, unless the URL has another `name`. */
  localDomain?: string
  /** E-mails without a mail server are written to `mail` in this folder. */
  dataDir: string
  logger: { info(fields: object, message: string): void }
}

const CONNECT_TIMEOUT_MS = 15_000
const SILENCE_TIMEOUT_MS = 60_000

const messageOf = (from: string, { to, subject, text, html, language, headers }: Email): SendMailOptions => ({
  from,
  // As an object it is one address, even if it contains commas.
  to: { name: '', address: to },
  subject,
  text,
  html,
  // Both prevent out-of-office replies: RFC 3834, and what Exchange reads; bounces still come.
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'OOF, AutoReply',
    ...(language !== undefined && { 'Content-Language': language }),
    ...headers,
  },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Loaded with the first e-mail: it takes 10 MB. */
const loadTransports = async () => (await import('nodemailer')).createTransport

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/**
 * Whether a mail server is used only with TLS: from the start (smtps), or after STARTTLS, which an
 * attacker could otherwise suppress to read user and password.
 */
export function requiresTls(smtpUrl: string): boolean {
  const { protocol, username, hostname, searchParams } = new URL(smtpUrl)
  if (protocol === 'smtps:') return true
  const wish = searchParams.get('requireTLS')
  if (wish !== null || searchParams.get('ignoreTLS') === 'true') return wish === 'true'
  return username !== '' && !LOOPBACK.test(hostname)
}

/**
 * Whether STARTTLS needs a valid certificate. That of a mail server on this machine is made by
 * itself for the machine's name (Postfix of Debian), and there is nobody between.
 */
function verifiesCertificate(smtpUrl: string): boolean {
  const { protocol, username, hostname, searchParams } = new URL(smtpUrl)
  const wishes = [...searchParams.keys()].some(name => name === 'requireTLS' || name.startsWith('tls.'))
  return protocol === 'smtps:' || username !== '' || wishes || !LOOPBACK.test(hostname)
}

/**
 * The name for EHLO: without one nodemailer says `[127.0.0.1]` on machines whose name has no dot,
 * as in containers, and strict mail servers refuse that. Undefined for domains of development.
 */
function greetingName(localDomain = ''): string | undefined {
  const name = localDomain.replace(/:\d+$/, '')
  return /\.[a-z][^.]*$/i.test(name) ? name : undefined
}

const nothing = (): void => undefined

/** A nodemailer logger that only detects when the whole message has been transmitted. */
const transmissionLogger = (transmitted: () => void) => ({
  level: nothing,
  trace: nothing,
  debug: nothing,
  info: (entry: unknown): void => {
    if (typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'message') transmitted()
  },
  warn: nothing,
  error: nothing,
  fatal: nothing,
})

function mailToServer(smtpUrl: string, from: string, localDomain: string | undefined): Mail {
  const name = greetingName(localDomain)
  return {
    async send(email) {
      const createTransport = await loadTransports()
      let transmitted = false
      const transport = createTransport({
        url: smtpUrl,
        ...(name !== undefined && { name }),
        requireTLS: requiresTls(smtpUrl),
        ...(!verifiesCertificate(smtpUrl) && { tls: { rejectUnauthorized: false } }),
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        logger: transmissionLogger(() => (transmitted = true)),
      })
      try {
        const { response } = await transport.sendMail(messageOf(from, email))
        return { response }
      } catch (error) {
        throw failureOf(error, transmitted)
      }
    },
  }
}

function mailToFiles(dataDir: string, from: string, logger: MailOptions['logger']): Mail {
  const folder = path.join(dataDir, 'mail')
  return {
    async send(email) {
      const createTransport = await loadTransports()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message } = await transport.sendMail(messageOf(from, email))
      const time = new Date().toISOString().replaceAll(':', '-')
      const file = path.join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
      // E-mails contain links that sign users in: no other user of the machine may read them, and
      // they are never logged.
      await makeOwnedFolder(dataDir, folder, 0o700)
      await chmod(folder, 0o700)
      // Written under a temporary name and renamed, so that watchers never see a partial file.
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await giveToOwner(dataDir, `${file}.part`)
      await rename(`${file}.part`, file)
      logger.info({ to: email.to, subject: email.subject, file }, 'mail written to a file')
      return { file }
    },
  }
}

/**
 * Outgoing e-mail: to the mail server if one is configured, else into .eml files whose paths are
 * logged.
 */
export function openMail({ smtpUrl, from, localDomain, dataDir, logger }: MailOptions): Mail {
  return smtpUrl === undefined ? mailToFiles(dataDir, from, logger) : mailToServer(smtpUrl, from, localDomain)
}
