import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerAddress } from '../server.ts'
import { signedGetHeaders, signedHeaders } from './sign.ts'

export type Document = Record<string, unknown>

export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
export const CONTEXT = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']
const TYPE = 'application/activity+json'
const WAIT_MS = 30_000

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

export const makeKeyPair = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Making one takes a second, so that all actors of a test file share it. */
let shared: KeyPair | undefined
const keyPair = (): KeyPair => (shared ??= makeKeyPair())

const pemOf = ({ publicKey }: KeyPair): string => publicKey.export({ type: 'spki', format: 'pem' }).toString()
const publicKeyPem = (): string => pemOf(keyPair())

/** Some servers identify what they have by the query. */
function pathOf(uri: string): string {
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}

/** Something that a peer got in an inbox. */
export interface Delivery {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly activity: Document
  /** As it was sent. */
  readonly body: string
}

/** An account of a peer. */
export class PeerActor {
  readonly peer: Peer
  readonly username: string
  readonly uri: string
  readonly followers: string
  readonly keyId: string
  /** What it signs with. */
  keys = keyPair()
  #number = 0

  constructor(peer: Peer, username: string, uri = `${peer.url}/users/${username}`, keyId = `${uri}#main-key`) {
    this.peer = peer
    this.username = username
    this.uri = uri
    this.followers = `${uri}/followers`
    this.keyId = keyId
  }

  get acct(): string {
    return `${this.username}@${this.peer.domain}`
  }

  /** A new id on this actor's server. */
  newUri(kind: string): string {
    this.#number += 1
    return `${this.uri}/${kind}/${randomBytes(4).toString('hex')}${this.#number}`
  }

  /** A public note; `more` has other members. */
  note(content: string, more: Document = {}): Document & { id: string } {
    return {
      '@context': CONTEXT,
      id: this.newUri('statuses'),
      type: 'Note',
      attributedTo: this.uri,
      to: [PUBLIC],
      cc: [this.followers],
      published: new Date().toISOString(),
      content: `<p>${content}</p>`,
      ...more,
    }
  }

  activity(type: string, object: unknown, more: Document = {}): Document & { id: string } {
    return {
      '@context': CONTEXT,
      id: this.newUri('activities'),
      type,
      actor: this.uri,
      object,
      ...more,
    }
  }

  create(note: Document): Document & { id: string } {
    return this.activity('Create', note, { to: note['to'], cc: note['cc'] })
  }

  signPost(url: string, body: string): Record<string, string> {
    return signedHeaders(url, body, { id: this.keyId, privateKey: this.keys.privateKey })
  }

  signGet(url: string): Record<string, string> {
    return signedGetHeaders(url, { id: this.keyId, privateKey: this.keys.privateKey })
  }

  /** Sends a signed activity to an inbox of the server, by default the shared one; the status. */
  async send(server: ServerAddress, activity: Document, path = '/inbox'): Promise<number> {
    return this.sendText(server, JSON.stringify(activity), path)
  }

  async sendText(
    server: ServerAddress,
    body: string,
    path = '/inbox',
    more: Record<string, string> = {},
  ): Promise<number> {
    const url = `${server.url}${path}`
    const answer = await fetch(url, { method: 'POST', headers: { ...this.signPost(url, body), ...more }, body })
    await answer.text()
    return answer.status
  }

  /** Its document with these keys, which it does not yet sign with. */
  documentWith(keys: KeyPair): Document {
    const publicKey = { id: this.keyId, owner: this.uri, publicKeyPem: pemOf(keys) }
    return { ...this.peer.documentOf(this.uri), publicKey }
  }

  /** Asks the server for a document, with a signature; the status. */
  async get(server: ServerAddress, path: string): Promise<number> {
    return (await this.ask(server, path)).status
  }

  /** Asks the server for a document, with a signature. */
  async ask(server: ServerAddress, path: string): Promise<{ status: number; text: string }> {
    const url = `${server.url}${path}`
    const answer = await fetch(url, { headers: this.signGet(url), redirect: 'manual' })
    return { status: answer.status, text: await answer.text() }
  }
}

/** A small foreign server: actors, WebFinger, documents, inboxes. It shares no code with ours. */
export class Peer {
  readonly port: number
  readonly url: string
  readonly domain: string
  /** What it answers for a path; a status without a document is an error. */
  readonly documents = new Map<string, Document | number>()
  /** Where it redirects a path to. */
  readonly redirects = new Map<string, string>()
  /** Names that WebFinger says are gone. */
  readonly gone = new Set<string>()
  /** The paths that were asked for. */
  readonly asked: string[] = []
  /** The headers of the last request for a path. */
  readonly headersFor = new Map<string, IncomingMessage['headers']>()
  readonly received: Delivery[] = []
  /** The status for deliveries, instead of 202. */
  refuses: number | undefined
  /** The status for deliveries that are signed as in RFC 9421; default: the same. */
  refusesRfc9421: number | undefined
  /** Whether it has nothing for requests that accept pages. */
  refusesPages = false
  readonly #actors = new Map<string, PeerActor>()
  #waiting: (() => void)[] = []

  constructor(port: number) {
    this.port = port
    this.domain = port === 80 ? 'localhost' : `127.0.0.1:${port}`
    this.url = `http://${this.domain}`
  }

  /** An actor with a document and a key; `more` has other members of the document. */
  actor(name: string, more: Document = {}): PeerActor {
    const actor = new PeerActor(this, `${name}_${randomBytes(3).toString('hex')}`)
    this.#actors.set(actor.username, actor)
    this.serve({
      '@context': CONTEXT,
      id: actor.uri,
      type: 'Person',
      preferredUsername: actor.username,
      name,
      summary: '',
      inbox: `${actor.uri}/inbox`,
      outbox: `${actor.uri}/outbox`,
      followers: actor.followers,
      following: `${actor.uri}/following`,
      featured: `${actor.uri}/featured`,
      endpoints: { sharedInbox: `${this.url}/inbox` },
      publicKey: {
        id: actor.keyId,
        owner: actor.uri,
        publicKeyPem: publicKeyPem(),
      },
      ...more,
    })
    return actor
  }

  /**
   * The actor of a document as another kind of server has it; only the key itself is filled in. A
   * key with a page of its own is served with what its actor is.
   */
  adopt(document: Document & { id: string; preferredUsername: string; publicKey: { id: string } }): PeerActor {
    const { id, preferredUsername, type } = document
    const publicKey = { ...document.publicKey, publicKeyPem: publicKeyPem() }
    const actor = new PeerActor(this, preferredUsername, id, publicKey.id)
    this.#actors.set(preferredUsername, actor)
    this.documents.set(pathOf(publicKey.id), { '@context': CONTEXT, id, type, preferredUsername, publicKey })
    this.serve({ ...document, publicKey })
    return actor
  }

  /** WebFinger leads from a name to an actor, and answers with that name. */
  rename(actor: PeerActor, username: string): void {
    for (const [name, { uri }] of this.#actors) if (uri === actor.uri) this.#actors.delete(name)
    this.#actors.set(username, actor)
    this.serve({ ...this.documentOf(actor.uri), preferredUsername: username })
  }

  /** Serves a document under its id. */
  serve<D extends Document>(document: D): D {
    this.documents.set(pathOf(String(document['id'])), document)
    return document
  }

  /** The document of an actor or object as it is served. */
  documentOf(uri: string): Document {
    const found = this.documents.get(pathOf(uri))
    if (typeof found !== 'object') throw new Error(`${uri} is not served`)
    return found
  }

  answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const url = new URL(request.url ?? '/', this.url)
    if (request.method === 'POST') return this.#take(request, response, body)
    this.asked.push(url.pathname)
    this.headersFor.set(url.pathname, request.headers)
    if (this.refusesPages && request.headers.accept?.includes('text/html')) return void response.writeHead(404).end()
    const elsewhere = this.redirects.get(url.pathname)
    if (elsewhere !== undefined) return void response.writeHead(302, { location: elsewhere + url.search }).end()
    if (url.pathname === '/.well-known/webfinger') return this.#finger(url.searchParams.get('resource') ?? '', response)
    const found = this.documents.get(pathOf(url.href)) ?? this.documents.get(url.pathname)
    if (typeof found === 'object') response.writeHead(200, { 'content-type': TYPE }).end(JSON.stringify(found))
    else response.writeHead(found ?? 404).end()
  }

  #take(request: IncomingMessage, response: ServerResponse, body: string): void {
    this.received.push({
      path: request.url ?? '',
      headers: request.headers,
      activity: JSON.parse(body) as Document,
      body,
    })
    const isRfc9421 = request.headers['signature-input'] !== undefined
    response.writeHead((isRfc9421 ? this.refusesRfc9421 : undefined) ?? this.refuses ?? 202).end()
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #finger(resource: string, response: ServerResponse): void {
    const [, name = ''] = /^acct:([^@]+)@/.exec(resource) ?? []
    if (this.gone.has(name)) return void response.writeHead(410).end()
    const actor = this.#actors.get(name)
    if (!actor) return void response.writeHead(404).end()
    const links = [{ rel: 'self', type: TYPE, href: actor.uri }]
    const document = { subject: `acct:${name}@${this.domain}`, aliases: [actor.uri], links }
    response.writeHead(200, { 'content-type': 'application/jrd+json' }).end(JSON.stringify(document))
  }

  /** Waits for a delivery, and takes it; fails after 30 seconds. */
  async next(fits: (activity: Document) => boolean): Promise<Delivery> {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const index = this.received.findIndex(({ activity }) => fits(activity))
      const [found] = index < 0 ? [] : this.received.splice(index, 1)
      if (found) return found
      const leftMs = deadline - Date.now()
      const types = this.received.map(({ activity }) => String(activity['type']))
      if (leftMs <= 0) throw new Error(`the peer did not get it; it got: ${types.join(', ') || 'nothing'}`)
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, leftMs)
        this.#waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }
}

/** Starts a peer on this machine, by default a new one; it ends with the test. */
export async function startPeer(t: { after(work: () => unknown): unknown }, peer?: Peer): Promise<Peer> {
  const running: { peer?: Peer } = {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => running.peer?.answer(request, response, Buffer.concat(chunks).toString()))
  })
  server.listen(peer?.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  t.after(
    () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return (running.peer = peer ?? new Peer((server.address() as AddressInfo).port))
}

/** The URI of a local account for other servers. */
export const localUri = (server: ServerAddress, id: string): string => `${server.url}/ap/users/${id}`
