import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { test, type Test } from 'tap'
import { openMail, type Email } from '../../../src/platform/mail/index.ts'

const FROM = 'Millrace <notifications@millrace.example>'
const EMAIL: Email = {
  to: 'alice@example.com',
  subject: 'Confirm your address – größer',
  text: 'Welcome.\n\nhttps://millrace.example/auth/confirmation?confirmation_token=abc\n\nhttps://millrace.example/about\n',
  html: '<p>Welcome. <a href="https://millrace.example/auth/confirmation?confirmation_token=abc">Confirm</a></p>',
}

interface Received {
  from: string
  to: string[]
  data: string
}

interface Inbox {
  url: string
  /** By which name the client greeted. */
  greetings: string[]
  received: Received[]
  /** The reason of a rejection, when set. */
  refusal: { message: string | undefined }
}

async function startInbox(t: Test): Promise<Inbox> {
  const received: Received[] = []
  const greetings: string[] = []
  const refusal: Inbox['refusal'] = { message: undefined }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'millrace' && password === 'p@ss' ? done(null, { user: username }) : done(new Error('who are you?')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusal.message !== undefined) return done(new Error(refusal.message))
        const { mailFrom, rcptTo } = session.envelope
        greetings.push(session.hostNameAppearsAs)
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks).toString('utf8'),
        })
        return done()
      })
    },
  })
  // A client may disconnect without QUIT.
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, received, refusal, greetings }
}

async function makeFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-mail-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

const silent = { info: (): void => {} }

test('an e-mail reaches the mail server with text and HTML', async t => {
  const inbox = await startInbox(t)
  const mail = openMail({ smtpUrl: inbox.url, from: FROM, dataDir: '/nowhere', logger: silent })
  await mail.send(EMAIL)
  const [email] = inbox.received
  assert.equal(email?.from, 'notifications@millrace.example')
  assert.deepEqual(email?.to, ['alice@example.com'])
  assert.match(email?.data ?? '', /^From: Millrace <notifications@millrace\.example>\r$/m)
  assert.match(email?.data ?? '', /^Subject: =\?UTF-8\?/m)
  assert.match(email?.data ?? '', /^Auto-Submitted: auto-generated\r$/m)
  assert.match(email?.data ?? '', /^X-Auto-Response-Suppress: OOF, AutoReply\r$/m)
  assert.match(email?.data ?? '', /^Content-Type: text\/plain/m)
  assert.match(email?.data ?? '', /^Content-Type: text\/html/m)
})

test('the mail server is greeted by the domain of this server, or the name in the URL', async t => {
  const inbox = await startInbox(t)
  const greet = async (smtpUrl: string, localDomain: string): Promise<string | undefined> => {
    await openMail({ smtpUrl, from: FROM, localDomain, dataDir: '/nowhere', logger: silent }).send(EMAIL)
    return inbox.greetings.at(-1)
  }
  assert.equal(await greet(inbox.url, 'millrace.example'), 'millrace.example')
  assert.equal(await greet(inbox.url, 'millrace.example:8443'), 'millrace.example')
  assert.equal(await greet(`${inbox.url}?name=web1.example`, 'millrace.example'), 'web1.example')
  assert.notEqual(await greet(inbox.url, 'localhost:3000'), 'localhost', 'no name for others')
})

test('user and password of the mail server come from the URL', async t => {
  const inbox = await startInbox(t)
  const as = (login: string) =>
    openMail({ smtpUrl: inbox.url.replace('//', `//${login}@`), from: FROM, dataDir: '/nowhere', logger: silent })
  await as('millrace:p%40ss').send(EMAIL)
  assert.equal(inbox.received.length, 1)
  await assert.rejects(as('millrace:wrong').send(EMAIL), /who are you/)
})

test('a rejection by the mail server is an error', async t => {
  const inbox = await startInbox(t)
  inbox.refusal.message = 'mailbox full'
  const mail = openMail({ smtpUrl: inbox.url, from: FROM, dataDir: '/nowhere', logger: silent })
  await assert.rejects(mail.send(EMAIL), /mailbox full/)
})

test('an address or subject cannot add headers or recipients', async t => {
  const inbox = await startInbox(t)
  const mail = openMail({ smtpUrl: inbox.url, from: FROM, dataDir: '/nowhere', logger: silent })
  await mail.send({ ...EMAIL, subject: 'hello\r\nBcc: mallory@example.com' })
  assert.deepEqual(inbox.received[0]?.to, ['alice@example.com'])
  assert.doesNotMatch(inbox.received[0]?.data ?? '', /^Bcc:/m)
  await assert.rejects(mail.send({ ...EMAIL, to: 'a@example.com>\r\nRCPT TO:<mallory@example.com' }))
  await mail.send({ ...EMAIL, to: 'a@example.com, mallory@example.com' }).catch(() => undefined)
  assert.ok(inbox.received.every(({ to }) => !to.includes('mallory@example.com')))
})

test('without a mail server an e-mail is written to a private file, and the log contains no link', async t => {
  const dataDir = await makeFolder(t)
  const folder = path.join(dataDir, 'mail')
  // The folder may already exist with other permissions.
  await mkdir(folder, { mode: 0o755 })
  const lines: { fields: object; message: string }[] = []
  const logger = { info: (fields: object, message: string) => void lines.push({ fields, message }) }
  const mail = openMail({ from: FROM, dataDir, logger })
  await mail.send(EMAIL)
  await mail.send({ ...EMAIL, text: 'No link here.' })
  const [first] = lines
  assert.equal(lines.length, 2)
  assert.equal(first?.message, 'mail written to a file')
  assert.ok(first && 'file' in first.fields && typeof first.fields.file === 'string')
  const { file } = first.fields
  assert.deepEqual(first.fields, { to: EMAIL.to, subject: EMAIL.subject, file })
  assert.doesNotMatch(JSON.stringify(lines), /confirmation_token/)
  const files = await readdir(folder)
  assert.equal(files.length, 2)
  assert.ok(files.every(name => name.endsWith('.eml')))
  assert.ok(files.includes(path.basename(file)))
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  for (const name of files) assert.equal((await stat(path.join(folder, name))).mode & 0o777, 0o600)
  const email = await readFile(file, 'utf8')
  assert.match(email, /^To: alice@example\.com$/m)
  assert.match(email, /^Content-Type: text\/html/m)
})
