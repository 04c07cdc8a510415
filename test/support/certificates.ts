import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Test } from 'tap'

/** Files of an authority of its own, and of a server for localhost and 127.0.0.1 that it signed. */
export interface Certificates {
  readonly folder: string
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** Why certificates cannot be made here, for the option `skip` of a test. */
export const noCertificates = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not installed'

/** Makes certificates with openssl, removed after the test. */
export function makeCertificates(t: Test): Certificates {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-tls-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const openssl = (...given: string[]): void => {
    const { status, stderr } = spawnSync('openssl', given, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${given.join(' ')}: ${stderr}`)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority')
  openssl('req', ...key, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  writeFileSync(path.join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem')
  const at = (name: string): string => path.join(folder, name)
  return { folder, authority: at('ca.pem'), certificate: at('server.pem'), key: at('server.key') }
}
