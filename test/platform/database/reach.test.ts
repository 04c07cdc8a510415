import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { test, type Test } from 'tap'
import { InvalidConfig } from '../../../src/core/config.ts'
import { startEmbedded } from '../../../src/platform/database/embedded/index.ts'
import { findBinaries } from '../../../src/platform/database/embedded/binaries.ts'
import { chooseOsUser } from '../../../src/platform/database/embedded/os_user.ts'
import { connectionTo, waitForDatabase } from '../../../src/platform/database/reach.ts'
import { makeCertificates, noCertificates, type Certificates } from '../../support/certificates.ts'
import { chooseTemporaryFolder } from '../../support/cluster.ts'
import { freePort } from '../../support/port.ts'

interface Warning {
  readonly fields: object
  readonly message: string
}

function recorder() {
  const warnings: Warning[] = []
  return { warnings, warn: (fields: object, message: string) => void warnings.push({ fields, message }) }
}

const refusal =
  (pattern: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof InvalidConfig, String(error))
    assert.match(error.message, pattern)
    assert.doesNotMatch(error.message, /\n|secret/)
    return true
  }

/** A PostgreSQL that accepts TLS and plain connections on a port of 127.0.0.1. */
async function startTlsDatabase(t: Test, { certificate, key }: Certificates) {
  const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-tls-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const account = chooseOsUser(join(folder, 'postgres'))
  chmodSync(folder, 0o755)
  for (const [from, name] of [
    [certificate, 'server.pem'],
    [key, 'server.key'],
  ] as const) {
    copyFileSync(from, join(folder, name))
    chmodSync(join(folder, name), 0o600)
    if (account) chownSync(join(folder, name), account.uid, account.gid)
  }
  const { user, password, database } = await createCluster(folder)
  const port = await freePort()
  const settings = {
    ssl: 'on',
    ssl_cert_file: join(folder, 'server.pem'),
    ssl_key_file: join(folder, 'server.key'),
    listen_addresses: '127.0.0.1,127.0.0.2',
    unix_socket_directories: '',
    port: String(port),
    fsync: 'off',
  }
  const server = spawn(
    findBinaries(account).postgres,
    [
      '-D',
      join(folder, 'postgres'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { stdio: 'ignore', cwd: join(folder, 'postgres'), ...account },
  )
  const ended = once(server, 'exit')
  t.after(async () => {
    server.kill('SIGQUIT')
    await ended
  })
  const url = (host: string): string => `postgres://${user}:${password}@${host}:${port}/${database}`
  await waitForDatabase(url('127.0.0.1'), 60, recorder())
  return { password, url }
}

/** Creates a cluster and its database; the server is stopped again. */
async function createCluster(folder: string) {
  const embedded = await startEmbedded({ dataDir: folder, log: () => {}, extraSettings: { fsync: 'off' } })
  await embedded.close()
  return embedded.connection
}

async function isEncrypted(url: string): Promise<boolean> {
  const client = new pg.Client(connectionTo(url))
  await client.connect()
  try {
    const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    return rows[0]?.ssl === true
  } finally {
    await client.end()
  }
}

test('the TLS modes of DATABASE_URL mean the same as for libpq', { skip: noCertificates }, async t => {
  const certificates = makeCertificates(t)
  const database = await startTlsDatabase(t, certificates)
  const { authority } = certificates
  const local = database.url('127.0.0.1')
  const log = recorder()
  const reach = (url: string): Promise<void> => waitForDatabase(connectionTo(url).connectionString ?? '', 0, log)

  assert.equal(await isEncrypted(local), false)
  assert.equal(await isEncrypted(`${local}?sslmode=disable`), false)
  assert.equal(await isEncrypted(`${local}?sslmode=require`), true)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    assert.equal(await isEncrypted(`${local}?sslmode=${mode}&sslrootcert=${authority}`), true, mode)

  // The certificate is for 127.0.0.1 and localhost, by an authority that Node.js does not know.
  await assert.rejects(
    reach(`${local}?sslmode=verify-full`),
    refusal(/^DATABASE_URL: 127\.0\.0\.1:\d+ refuses: .*certificate/i),
  )
  const other = local.replace('127.0.0.1', '127.0.0.2').replace('?', '')
  await assert.rejects(reach(`${other}?sslmode=verify-full&sslrootcert=${authority}`), refusal(/refuses: .*altname/i))
  assert.equal(await isEncrypted(`${other}?sslmode=verify-ca&sslrootcert=${authority}`), true)
  assert.deepEqual(log.warnings, [])
})

test('a wrong password, user or database is an invalid configuration, named without the password', async t => {
  const certificates = noCertificates === false ? makeCertificates(t) : undefined
  if (!certificates) return
  const database = await startTlsDatabase(t, certificates)
  const reach = (url: string): Promise<void> => waitForDatabase(url, 60, recorder())
  const url = database.url('127.0.0.1')
  const wrong = url.replace(database.password, 'secret')
  await assert.rejects(reach(wrong), refusal(/refuses: password authentication failed for user/))
  await assert.rejects(reach(url.replace(`:${database.password}`, '')), refusal(/refuses: .*password/i))
  await assert.rejects(reach(`${url}_none`), refusal(/refuses: database ".*" does not exist/))
})

test('a database that is not up yet is waited for, and named when it stays away', async t => {
  const port = await freePort()
  const away = `postgres://mill:secret@127.0.0.1:${port}/mill`
  const log = recorder()
  await assert.rejects(waitForDatabase(away, 1, log), (error: unknown) => {
    assert.ok(error instanceof Error && !(error instanceof InvalidConfig))
    assert.match(error.message, /^DATABASE_URL: no database answers at 127\.0\.0\.1:\d+ after 1 s: .*ECONNREFUSED/)
    assert.doesNotMatch(error.message, /secret|\n/)
    return true
  })
  assert.equal(log.warnings.length, 1)
  assert.equal(log.warnings[0]?.message, 'the database is not up yet; waiting for it')
  assert.doesNotMatch(JSON.stringify(log.warnings), /secret/)

  // A server that comes up meanwhile: it ends two connections before it is ready.
  const waiting = waitForDatabase(away, 60, recorder())
  let connections = 0
  const server = createServer(socket => {
    socket.on('error', () => {})
    connections += 1
    // PostgreSQL's AuthenticationOk and ReadyForQuery.
    if (connections > 2) socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')))
    else socket.destroy()
  })
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await waiting
  assert.equal(connections, 3)
})
