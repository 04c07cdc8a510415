import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'
import { Inbox } from './inbox.ts'

/** An e-mail that the mail server received; the parts are decoded. */
export interface ReceivedEmail {
  readonly to: string
  readonly subject: string
  readonly headers: string
  readonly text: string
  readonly html: string
}

const decodeWords = (header: string): string =>
  header.replace(/=\?utf-8\?([QB])\?([^?]*)\?=\s*/gi, (_, how: string, word: string) =>
    how.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : decodeQuoted(word.replaceAll('_', ' ')),
  )

function decodeQuoted(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

function partOf(letter: string, type: string): string {
  const part = letter.split(/^--[^\r\n]+\r?$/m).find(found => found.includes(`Content-Type: ${type}`)) ?? ''
  const [head = '', ...body] = part.trim().split(/\r?\n\r?\n/)
  const content = body.join('\n\n')
  if (/base64/i.test(head)) return Buffer.from(content, 'base64').toString()
  return /quoted-printable/i.test(head) ? decodeQuoted(content) : content
}

function parseEmail(data: string, to: string): ReceivedEmail {
  const [headers = ''] = data.split(/\r?\n\r?\n/)
  const unfolded = headers.replace(/\r?\n[ \t]+/g, ' ')
  const subject = decodeWords(/^Subject: (.*)$/m.exec(unfolded)?.[1] ?? '')
  return { to, subject, headers: unfolded, text: partOf(data, 'text/plain'), html: partOf(data, 'text/html') }
}

/**
 * A mail server that stores received e-mails; while `refusing` it rejects them for now, while
 * `breaking` it closes the connection instead of acknowledging them.
 */
export interface MailServer {
  readonly url: string
  refusing: boolean
  breaking: boolean
  /** The answers to recipients that are refused: a code and a text, by address. */
  readonly refusals: Map<string, readonly [code: number, text: string]>
  /** How many e-mails were received for an address. */
  count(to: string): number
  /** Resolves when an e-mail has been rejected. */
  refused(): Promise<void>
  /**
   * Takes the first e-mail to an address with a matching subject: jobs send them in no particular
   * order.
   */
  email(to: string, subject: RegExp): Promise<ReceivedEmail>
}

/** Starts a real mail server on a free port until the test ends. */
export async function startMailServer(t: Test): Promise<MailServer> {
  const inbox = new Inbox<ReceivedEmail>(letter => `${letter.to}: ${letter.subject}`)
  const refusals = new Inbox<string>(reason => reason)
  const counts = new Map<string, number>()
  const receive = (email: ReceivedEmail): void => {
    counts.set(email.to, (counts.get(email.to) ?? 0) + 1)
    inbox.push(email)
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = handle.refusals.get(address)
      if (!refusal) return done()
      refusals.push('refused')
      return done(Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (handle.refusing) {
          refusals.push('refused')
          return done(new Error('try again later'))
        }
        for (const { address } of session.envelope.rcptTo)
          receive(parseEmail(Buffer.concat(chunks).toString('latin1'), address))
        if (!handle.breaking) return done()
        for (const socket of sockets) socket.destroy()
        return undefined
      })
    },
  })
  server.on('error', () => {})
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  const address = server.server.address()
  assert.ok(address !== null && typeof address === 'object')
  const handle: MailServer = {
    url: `smtp://127.0.0.1:${address.port}`,
    refusing: false,
    breaking: false,
    refusals: new Map(),
    count: to => counts.get(to) ?? 0,
    async refused() {
      await refusals.take('a refusal', () => true)
    },
    email: (to, subject) =>
      inbox.pick(`a letter to ${to}: ${subject}`, one => one.to === to && subject.test(one.subject)),
  }
  return handle
}
