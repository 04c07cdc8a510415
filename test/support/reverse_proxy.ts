import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { freePort } from './port.ts'

const run = promisify(execFile)

/** The folders of programs, including Debian's for root, which others may run too. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin']

/** The path of a program, or undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map(folder => path.join(folder, name)).find(file => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

const ROOT = new URL('../../', import.meta.url)
const DOCUMENTS = ['OPERATING.md', 'README.md']

/**
 * The documented configuration.
 * @throws Error unless the documents have exactly one block of the language
 */
export async function readDocumentedConfig(language: string): Promise<string> {
  const blocks: string[] = []
  for (const document of DOCUMENTS.filter(name => existsSync(new URL(name, ROOT)))) {
    const text = await readFile(new URL(document, ROOT), 'utf8')
    blocks.push(
      ...[...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(found => found[1] ?? ''),
    )
  }
  const [block] = blocks
  if (block === undefined || blocks.length > 1)
    throw new Error(`${blocks.length} blocks of ${language} in the documents`)
  return block
}

/** Replaces a text. @throws Error unless it occurs exactly once */
export function replaceOnce(text: string, old: string, by: string): string {
  const parts = text.split(old)
  if (parts.length !== 2) throw new Error(`"${old}" is there ${parts.length - 1} times`)
  return parts.join(by)
}

/**
 * Creates a temporary folder with a certificate: `chain.pem`, `key.pem`, and `both.pem`. Removed at
 * the end of the test.
 */
async function createCertificate(t: Test): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-proxy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [chain, key] = [path.join(folder, 'chain.pem'), path.join(folder, 'key.pem')]
  const how = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=example.com']
  await run('openssl', ['req', '-x509', ...how, '-keyout', key, '-out', chain])
  await writeFile(path.join(folder, 'both.pem'), (await readFile(chain, 'utf8')) + (await readFile(key, 'utf8')))
  return folder
}

/** A reverse proxy that runs in the documented configuration. */
export interface ReverseProxy {
  readonly url: string
  /** Resolves with the first matching line of its output, past or future. */
  logged(pattern: RegExp): Promise<string>
}

/** What is changed in the documented configuration. */
export interface ProxyOptions {
  /** The port of the server behind it. */
  readonly to: number
  /** Changes the text, after ports and paths were put in. */
  readonly change?: (configuration: string) => string
}

/** Checks the documented configuration of nginx with `nginx -t` and runs it. */
export async function startNginx(t: Test, program: string, options: ProxyOptions): Promise<ReverseProxy> {
  const [folder, port, block] = [await createCertificate(t), await freePort(), await readDocumentedConfig('nginx')]
  const own = [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/letsencrypt/live/example.com/fullchain.pem', path.join(folder, 'chain.pem')],
    ['/etc/letsencrypt/live/example.com/privkey.pem', path.join(folder, 'key.pem')],
    ['http://127.0.0.1:3000', `http://127.0.0.1:${options.to}`],
  ].reduce((text, [old = '', by = '']) => replaceOnce(text, old, by), block)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // As root, nginx drops its rights otherwise, and then cannot write to the folder.
  const lines = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    `pid ${path.join(folder, 'nginx.pid')};`,
    'error_log stderr;',
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map(name => `${name}_temp_path ${path.join(folder, name)};`),
    (options.change ?? (text => text))(own),
    '}',
  ]
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, lines.join('\n'))
  const how = ['-p', folder, '-e', 'stderr', '-c', file]
  await run(program, ['-t', ...how])
  return start(t, program, how, port)
}

/** Checks the documented configuration of HAProxy with `haproxy -c` and runs it. */
export async function startHaproxy(t: Test, program: string, options: ProxyOptions): Promise<ReverseProxy> {
  const [folder, port, block] = [await createCertificate(t), await freePort(), await readDocumentedConfig('haproxy')]
  const own = [
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    ['/etc/haproxy/example.com.pem', path.join(folder, 'both.pem')],
    ['127.0.0.1:3000', `127.0.0.1:${options.to}`],
  ].reduce((text, [old = '', by = '']) => replaceOnce(text, old, by), block)
  const lines = [
    'global',
    '  log stderr format raw local0 info',
    'defaults',
    '  log global',
    '  option log-health-checks',
    '  default-server inter 200ms',
    (options.change ?? (text => text))(own),
  ]
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, lines.join('\n'))
  await run(program, ['-c', '-f', file])
  return start(t, program, ['-db', '-f', file], port)
}

/** Checks the documented configuration of Caddy with `caddy validate` and runs it. */
export async function startCaddy(t: Test, program: string, options: ProxyOptions): Promise<ReverseProxy> {
  const [folder, port, block] = [await createCertificate(t), await freePort(), await readDocumentedConfig('caddyfile')]
  const own = [
    // Any name on this port: the test's clients ask by address.
    ['example.com {\n', `https://:${port} {\n  bind 127.0.0.1\n  tls ${folder}/chain.pem ${folder}/key.pem\n`],
    ['127.0.0.1:3000', `127.0.0.1:${options.to}`],
  ].reduce((text, [old = '', by = '']) => replaceOnce(text, old, by), block)
  const file = path.join(folder, 'Caddyfile')
  const global = '{\n  admin off\n  auto_https off\n  default_sni example.com\n}\n'
  await writeFile(file, global + (options.change ?? (text => text))(own))
  const how = ['--config', file, '--adapter', 'caddyfile']
  const env = { ...process.env, HOME: folder }
  await run(program, ['validate', ...how], { env })
  return start(t, program, ['run', ...how], port, env)
}

/** Runs a proxy until the test ends. Resolves when it listens. */
async function start(
  t: Test,
  program: string,
  how: string[],
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ReverseProxy> {
  const child = spawn(program, how, { stdio: ['ignore', 'ignore', 'pipe'], env })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const lines: string[] = []
  let waiting: { pattern: RegExp; resolve: (line: string) => void }[] = []
  createInterface(child.stderr).on('line', line => {
    lines.push(line)
    waiting = waiting.filter(({ pattern, resolve }) => {
      if (pattern.test(line)) resolve(line)
      return !pattern.test(line)
    })
  })
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${lines.join('\n')}`)
    await setImmediate()
  }
  return {
    url: `https://127.0.0.1:${port}`,
    logged(pattern) {
      const before = lines.find(line => pattern.test(line))
      return before === undefined ? new Promise(resolve => waiting.push({ pattern, resolve })) : Promise.resolve(before)
    },
  }
}

/** Whether the local port accepts connections. */
const listens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
