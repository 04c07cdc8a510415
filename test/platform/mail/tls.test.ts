import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { test, type Test } from 'tap'
import { createCommandLine, runHere, runProcess } from '../../cli/command.ts'
import { requiresTls } from '../../../src/platform/mail/index.ts'
import { makeCertificates, noCertificates } from '../../support/certificates.ts'

interface Received {
  readonly encrypted: boolean
  readonly user: string | undefined
  readonly data: string
}

async function startMailServer(t: Test, options: SMTPServerOptions) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      password === 'hush' ? done(null, { user: username ?? '' }) : done(new Error('who are you?')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const data = Buffer.concat(chunks).toString('utf8')
        received.push({ encrypted: session.secure, user: session.user?.toString(), data })
        done(null, 'taken')
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, received }
}

test(
  'ctl mail test sends by TLS with an authority of its own, and says what is wrong',
  { skip: noCertificates },
  async t => {
    const { authority, certificate, key } = makeCertificates(t)
    const tls = { cert: readFileSync(certificate), key: readFileSync(key) }
    const later = await startMailServer(t, tls)
    const first = await startMailServer(t, { ...tls, secure: true })
    const plain = await startMailServer(t, { disabledCommands: ['STARTTLS'] })
    const ctl = await createCommandLine(t)
    /** As a process when the authority is to be trusted: Node.js reads that at its start. */
    const send = (smtpUrl: string, trusted = true) => {
      const environment = { DATABASE_URL: ctl.databaseUrl, DATA_DIR: ctl.folder, SMTP_URL: smtpUrl }
      const given = ['mail', 'test', 'ada@example.com']
      return trusted
        ? runProcess(given, { ...environment, NODE_EXTRA_CA_CERTS: authority })
        : runHere(given, environment)
    }

    const sent = await send(`smtp://mill:hush@localhost:${later.port}?requireTLS=true`)
    assert.deepEqual([sent.code, sent.err], [0, ''])
    assert.match(
      sent.out,
      /^From: +Millrace <notifications@localhost>\nTo: +ada@example\.com\nServer: localhost:\d+, with TLS as a condition\nOK, it was accepted: 250 .*\n$/,
    )
    assert.deepEqual([later.received[0]?.encrypted, later.received[0]?.user], [true, 'mill'])
    assert.match(later.received[0]?.data ?? '', /^Subject: Test of e-mail from Millrace\r$/m)
    assert.equal((await send(`smtps://mill:hush@127.0.0.1:${first.port}`)).code, 0)
    assert.equal(first.received[0]?.encrypted, true)
    const own = await send(`smtp://localhost:${later.port}`, false)
    assert.deepEqual([own.code, later.received[1]?.encrypted], [0, true], 'as Postfix of Debian is installed')
    const offered = await send(`smtp://localhost:${plain.port}`, false)
    assert.match(offered.out, /with TLS if it offers it/)
    assert.equal(plain.received[0]?.encrypted, false)

    for (const [url, expected] of [
      [`smtp://mill:hush@localhost:${later.port}`, /authority that is not known here.*NODE_EXTRA_CA_CERTS/],
      [`smtp://localhost:${later.port}?requireTLS=true`, /NODE_EXTRA_CA_CERTS/],
      [`smtps://localhost:${first.port}`, /NODE_EXTRA_CA_CERTS/],
      [`smtps://localhost:${plain.port}`, /smtps:\/\/ begins with TLS/],
      [`smtp://mill:wrong@localhost:${plain.port}`, /it refuses the user and password/],
      [`smtp://localhost:${plain.port}?requireTLS=true`, /it offers no TLS/],
      ['smtp://localhost:1', /it cannot be reached/],
    ] as const) {
      const { code, err } = await send(url, false)
      assert.equal(code, 1, url)
      assert.match(err, /^The e-mail was not sent: [^\n]+\n$/, url)
      assert.match(err, expected, url)
      assert.doesNotMatch(err, /hush|wrong@/, url)
    }
  },
)

test('without a mail server, ctl mail test names the file', async t => {
  const ctl = await createCommandLine(t)
  const out = await ctl.ok('mail', 'test', 'ada@example.com')
  const [, file = ''] = /^OK, written to (.+\.eml)$/m.exec(out) ?? []
  assert.match(readFileSync(file, 'utf8'), /^To: ada@example\.com$/m)
})

test('a password is sent to another machine only with TLS, unless that is allowed', async () => {
  assert.deepEqual(
    [
      'smtp://me:hush@mail.example:587',
      'smtp://me:hush@mail.example:587?requireTLS=false',
      'smtp://me:hush@mail.example:587?ignoreTLS=true',
      'smtp://mail.example',
      'smtp://mail.example?requireTLS=true',
      'smtps://mail.example',
      'smtp://me:hush@127.0.0.1:25',
      'smtp://me:hush@localhost',
    ].map(requiresTls),
    [true, false, false, false, true, true, false, false],
  )
})
