import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMailOptions } from 'nodemailer'

export interface Email {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** The language that it is in, as a code. */
  language?: string
}

export interface Mail {
  /** Resolves when the mail server has taken the letter, or its file is written; rejects otherwise. Called from jobs, which try again. */
  send(letter: Email): Promise<void>
}

export interface MailOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; without it letters become files. */
  smtpUrl?: string | undefined
  /** Sender, such as `Millrace <notifications@example.com>`. */
  from: string
  /** Letters without a mail server go to `mail` in this folder. */
  dataDir: string
  logger: { info(fields: object, message: string): void }
}

const CONNECT_TIMEOUT_MS = 15_000
const SILENCE_TIMEOUT_MS = 60_000

const messageOf = (from: string, { to, subject, text, html, language }: Email): SendMailOptions => ({
  from,
  // As an object it is one address, whatever commas it has.
  to: { name: '', address: to },
  subject,
  text,
  html,
  // RFC 3834: no out-of-office answers to these.
  headers: { 'Auto-Submitted': 'auto-generated', ...(language !== undefined && { 'Content-Language': language }) },
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** Loaded with the first letter: it takes 10 MB. */
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
      // E-mails hold links that sign people in, so no other user of the machine may read them, and no log has them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      // Written under a temporary name and renamed, so that watchers never see a partial file.
      await writeFile(`${file}.part`, message, { mode: 0o600 })
      await rename(`${file}.part`, file)
      logger.info({ to: letter.to, subject: letter.subject, file }, 'mail written to a file')
    },
  }
}

/** Outgoing mail: to the mail server when there is one, else each letter is an .eml file whose path is logged. */
export function openMail({ smtpUrl, from, dataDir, logger }: MailOptions): Mail {
  return smtpUrl === undefined ? mailToFiles(path.join(dataDir, 'mail'), from, logger) : mailToServer(smtpUrl, from)
}
