import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serveOrders, watchCpu } from './child.ts'
import { createConnection } from './connection.ts'
import { createLatencies, nowMicroseconds } from './latency.ts'

/**
 * A process that stands for many other servers: it has an address of 127.0.0.0/8 for each, serves
 * their actors and keys, sends activities that were signed before, and counts deliveries.
 */
export interface FederationLoad {
  /** Starts to serve this many hosts. */
  readonly listen?: { readonly hosts: number }
  /** Signs activities for an inbox; they are sent later. */
  readonly sign?: { readonly inbox: string; readonly activities: readonly PreparedActivity[] }
  /** Sends what was signed: as fast as it is answered, or at a rate. */
  readonly send?: { readonly connections: number; readonly ratePerSecond?: number }
  /** Waits for deliveries since the last order of this kind. */
  readonly deliveries?: { readonly expected: number; readonly waitMs: number }
}

export interface PreparedActivity {
  /** The number of its host. */
  readonly host: number
  /** The body; `ACTOR` stands for the host's actor. */
  readonly body: string
}

export interface FederationOutcome {
  readonly port: number
  readonly publicKeyPem: string
  readonly errors: number
  readonly delivered: number
  readonly seconds: number
  /** CPU seconds per second of this process. */
  readonly cpu: number
  /** Encoded; of the answers to what was sent. */
  readonly latencies: string
}

/** The address of a host. */
export const hostAddress = (host: number): string => `127.1.${Math.floor(host / 250)}.${(host % 250) + 1}`

const TYPE = 'application/activity+json'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

let port = 0
let delivered = 0
let awaited: { expected: number; wake: () => void } | undefined
let signed: { url: URL; requests: Buffer[] } = { url: new URL('http://127.0.0.1'), requests: [] }

const originOf = (host: number): string => `http://${hostAddress(host)}:${port}`

function actorOf(origin: string): object {
  const id = `${origin}/actor`
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id,
    type: 'Person',
    preferredUsername: 'actor',
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    endpoints: { sharedInbox: `${origin}/inbox` },
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem },
  }
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'POST') {
    request.resume().once('end', () => {
      response.writeHead(202).end()
      delivered += 1
      if (awaited && delivered >= awaited.expected) awaited.wake()
    })
    return
  }
  const host = request.headers.host ?? ''
  const origin = `http://${host}`
  if (request.url?.startsWith('/.well-known/webfinger') === true) {
    const links = [{ rel: 'self', type: TYPE, href: `${origin}/actor` }]
    response.writeHead(200, { 'content-type': 'application/jrd+json' })
    response.end(JSON.stringify({ subject: `acct:actor@${host}`, links }))
  } else if (request.url === '/actor')
    response.writeHead(200, { 'content-type': TYPE }).end(JSON.stringify(actorOf(origin)))
  else response.writeHead(404).end()
}

async function listen(): Promise<void> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer).listen(0, '0.0.0.0', 4096)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
}

/** A request as other servers send it: draft-cavage, RSA-SHA256. */
function signRequest(url: URL, actor: string, body: string): Buffer {
  const date = new Date().toUTCString()
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  const text = [
    `(request-target): post ${url.pathname}`,
    `host: ${url.host}`,
    `date: ${date}`,
    `digest: ${digest}`,
    `content-type: ${TYPE}`,
  ].join('\n')
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64')
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    `Date: ${date}`,
    `Digest: ${digest}`,
    `Content-Type: ${TYPE}`,
    `Signature: keyId="${actor}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest content-type",signature="${signature}"`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

async function sendSigned({
  connections,
  ratePerSecond = Infinity,
}: NonNullable<FederationLoad['send']>): Promise<{ errors: number; latencies: string }> {
  const latencies = createLatencies()
  let errors = 0
  const beganUs = nowMicroseconds()
  const waiting = signed.requests.entries()
  const lane = async (): Promise<void> => {
    const connection = createConnection(signed.url)
    for (const [number, request] of waiting) {
      const waitMs = (beganUs + (number * 1e6) / ratePerSecond - nowMicroseconds()) / 1000
      if (waitMs > 0) await delay(waitMs)
      const sentUs = nowMicroseconds()
      const { status } = await connection.send(request)
      latencies.record(nowMicroseconds() - sentUs)
      if (status !== 202) errors += 1
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return { errors, latencies: latencies.encode() }
}

/** Resolves when so many deliveries have come, or the time is over. */
async function awaitDeliveries(expected: number, waitMs: number): Promise<number> {
  if (delivered < expected)
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, waitMs)
      awaited = {
        expected,
        wake: () => {
          clearTimeout(timer)
          resolve()
        },
      }
    })
  awaited = undefined
  const count = delivered
  delivered = 0
  return count
}

async function obey({ listen: hosts, sign: given, send, deliveries }: FederationLoad): Promise<FederationOutcome> {
  const startedAt = performance.now()
  const cpu = watchCpu()
  if (hosts) await listen()
  if (given) {
    const url = new URL(given.inbox)
    const write = ({ host, body }: PreparedActivity): Buffer => {
      const actor = `${originOf(host)}/actor`
      return signRequest(url, actor, body.replaceAll('ACTOR', actor))
    }
    signed = { url, requests: given.activities.map(write) }
  }
  const sent = send ? await sendSigned(send) : { errors: 0, latencies: createLatencies().encode() }
  const count = deliveries ? await awaitDeliveries(deliveries.expected, deliveries.waitMs) : 0
  const seconds = (performance.now() - startedAt) / 1000
  return { port, publicKeyPem, delivered: count, seconds, cpu: cpu(), ...sent }
}

if (process.send) serveOrders(obey)
