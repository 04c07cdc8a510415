import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test, type Test } from 'tap'
import { MailFailure, openMail } from '../../../src/platform/mail/index.ts'

const LETTER = { to: 'reader@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** What a mail server answers to each command; undefined closes the connection. */
type Answers = Readonly<Record<string, string | undefined>>

const KIND: Answers = {
  EHLO: '250 ok',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  '.': '250 taken',
  QUIT: '221 bye',
}

/** The fault of an e-mail that is sent to a mail server with these answers. */
async function faultOf(t: Test, answers: Answers): Promise<string | undefined> {
  const all = { ...KIND, ...answers }
  const talk = (socket: Socket): void => {
    let isData = false
    socket.write('220 ready\r\n')
    socket.on('error', () => undefined)
    socket.on('data', bytes => {
      for (const line of bytes.toString().split('\r\n')) {
        const command = isData ? (line === '.' ? '.' : '') : (line.split(/[ :]/)[0] ?? '').toUpperCase()
        if (!(command in all)) continue
        const response = all[command]
        isData = command === 'DATA' && response?.startsWith('3') === true
        if (response === undefined) return socket.destroy()
        socket.write(`${response}\r\n`)
      }
      return undefined
    })
  }
  const server = createServer(talk)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const logger = { info: () => undefined }
  const mail = openMail({
    smtpUrl: `smtp://127.0.0.1:${address.port}`,
    from: 'a@example.com',
    dataDir: '/nowhere',
    logger,
  })
  try {
    await mail.send(LETTER)
    return undefined
  } catch (error) {
    assert.ok(error instanceof MailFailure, String(error))
    return error.kind
  }
}

test('a failure says what may be tried again', async t => {
  const cases: [Answers, string | undefined][] = [
    [{}, undefined],
    [{ RCPT: '550 no such user' }, 'recipient'],
    [{ RCPT: '550 5.1.1 no such user' }, 'recipient'],
    [{ RCPT: '550 5.1.10 RESOLVER.ADR.RecipientNotFound' }, 'recipient'],
    [{ RCPT: '553 sorry, no mailbox here by that name (#5.1.1)' }, 'recipient'],
    [{ RCPT: '550 Unrouteable address' }, 'recipient'],
    [{ RCPT: '550-5.7.1 you are\r\n550 5.7.1 on a list' }, 'later'],
    [{ RCPT: '550 192.0.2.1 is in a black list at lists.example' }, 'later'],
    [{ RCPT: '550 5.7.133 authentication required to write to this group' }, 'later'],
    [{ RCPT: '550 Requested action not taken: mailbox unavailable' }, 'later'],
    [{ RCPT: '550 5.1.8 sender address rejected: domain not found' }, 'later'],
    [{ RCPT: '550-Verification failed for <a@example.com>\r\n550-No such user\r\n550 Sender verify failed' }, 'later'],
    [{ RCPT: '550 relay not permitted' }, 'later'],
    [{ RCPT: '554 5.7.1 <reader@example.com>: Relay access denied' }, 'later'],
    [{ RCPT: '513 Relaying denied.' }, 'later'],
    [{ RCPT: '530 SMTP authentication is required.' }, 'later'],
    [{ RCPT: "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)" }, 'later'],
    [{ RCPT: '451 4.7.1 greylisted' }, 'later'],
    [{ DATA: '554 no' }, 'message'],
    [{ '.': '554 5.6.0 spam' }, 'message'],
    [{ '.': '452 4.3.1 disk full' }, 'later'],
    [{ '.': undefined }, 'unknown'],
    [{ DATA: undefined }, 'server'],
    [{ RCPT: undefined }, 'server'],
    [{ MAIL: '530 5.7.0 authenticate first' }, 'server'],
  ]
  for (const [answers, fault] of cases) assert.equal(await faultOf(t, answers), fault, JSON.stringify(answers))
})

test('a mail server that cannot be reached is no fault of the recipient', async () => {
  const logger = { info: () => undefined }
  const mail = openMail({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@example.com', dataDir: '/nowhere', logger })
  await assert.rejects(mail.send(LETTER), (error: unknown) => error instanceof MailFailure && error.kind === 'server')
})
