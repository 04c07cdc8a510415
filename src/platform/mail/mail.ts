import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMailOptions } from 'nodemailer'

export interface Email {
  /** A single address. */
  to: string
  subject: string
  text: string
  html: string
  /** The language of the e-mail, as a code. */
  language?: string
}

export interface Mail {
  /**
   * Resolves when the mail server has accepted the e-mail, or its file is written; rejects
   * otherwise. Called from jobs, which retry.
   */
  send(letter: Email): Promise<void>
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; without it e-mails are written to files. */
  smtpUrl?: string | undefined
  /** Sender, such as `Millrace <notifications@example.com>`. */
  from: string
  /** E-mails without a mail server are written to `mail` in this folder. */
  dataDir: string
  logger: { info(fields: object, message: string): void }
}

const CONNECT_TIMEOUT_MS = 15_000
const SILENCE_TIMEOUT_MS = 60_000

const messageOf = (from: string, { to, subject, text, html, language }: Email): SendMailOptions => ({
  from,
  // As an object it is one address, even if it contains commas.
  to: { name: '', address: to },
  subject,
  text,
  html,
  // RFC 3834: prevents out-of-office replies.
  headers: { 'Auto-Submitted': 'auto-generated', ...(language !== undefined && { 'Content-Language': language }) },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Loaded with the first e-mail: it takes 10 MB. */
const loadTransports = async () => (await import('nodemailer')).createTransport

function mailToServer(smtpUrl: string, from: string): Mail {
  return {
    async send(letter) {
      const createTransport = await loadTransports()
      const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
      })
      await transport.sendMail(messageOf(from, letter))
    },
  }
}

function mailToFiles(folder: string, from: string, logger: MailOptions['logger']): Mail {
  return {
    async send(letter) {
      const createTransport = await loadTransports()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const { message } = await transport.sendMail(messageOf(from, letter))
      const time = new Date().toISOString().replaceAll(':', '-')
      const file = path.join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
      // E-mails contain links that sign users in: no other user of the machine may read them, and
      // they are never logged.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      // Written under a temporary name and renamed, so that watchers never see a partial file.
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await rename(`${file}.part`, file)
      logger.info({ to: letter.to, subject: letter.subject, file }, 'mail written to a file')
    },
  }
}

/**
 * Outgoing e-mail: to the mail server if one is configured, else into .eml files whose paths are
 * logged.
 */
export function openMail({ smtpUrl, from, dataDir, logger }: MailOptions): Mail {
  return smtpUrl === undefined ? mailToFiles(path.join(dataDir, 'mail'), from, logger) : mailToServer(smtpUrl, from)
}
