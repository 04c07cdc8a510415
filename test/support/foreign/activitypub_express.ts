import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { MemoryStore, type Stored } from './memory_store.ts'

/*
 * A server of activitypub-express over TLS, run by the test as a process of its own. It reports
 * each activity in its inboxes whose signature it has verified, and publishes on request.
 */

interface Next {
  (error?: unknown): void
}
interface Handled {
  readonly body: Stored
}
type Handler = (request: Handled, response: unknown, next: Next) => void

interface Route {
  get(handlers: Handler[]): Route
  post(handlers: Handler[]): Route
}

interface Express {
  (): RequestListener & {
    use(...handlers: unknown[]): void
    route(path: string): Route
    get(path: string, handlers: Handler[]): void
    on(event: 'apex-inbox', listener: (message: InboxMessage) => void): void
  }
  json(options: { type: unknown }): Handler
}

interface InboxMessage {
  readonly activity: Stored & { type: string }
  readonly actor: Stored
  readonly recipient: Stored
}

interface Apex {
  readonly consts: { readonly jsonldTypes: unknown; readonly publicAddress: string }
  readonly net: Readonly<Record<string, Readonly<Record<'get' | 'post', Handler[]>>>> & {
    readonly security: { readonly verifySignature: Handler }
  }
  readonly store: MemoryStore
  createActor(name: string, displayName: string, summary: string): Promise<Stored>
  buildActivity(type: string, actor: string, to: readonly string[], others: object): Promise<Stored>
  addToOutbox(actor: Stored, activity: Stored): Promise<void>
  acceptFollow(actor: Stored, follow: Stored): Promise<unknown>
  fromJSONLD(document: object): Promise<Stored>
  toJSONLD(document: Stored): Promise<Record<string, unknown>>
}

/** What the test asks for. */
export interface Publication {
  /** Returned with the id. */
  readonly number: number
  readonly type: string
  readonly to: readonly string[]
  readonly cc?: readonly string[]
  /** A document, an id, or an activity that was published before. */
  readonly object: unknown
  /** The object is stored, so that others can fetch it. */
  readonly isStored?: boolean
  /** Signed with the key of somebody else. */
  readonly isForged?: boolean
}

/** What the test is told. */
export type Report =
  | { readonly kind: 'ready'; readonly actor: string; readonly followers: string }
  | { readonly kind: 'verified'; readonly activity: Record<string, unknown> }
  | { readonly kind: 'published'; readonly number: number; readonly id: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface Options {
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly name: string
  readonly contexts: Readonly<Record<string, unknown>>
}

const ROUTES = {
  actor: '/u/:actor',
  object: '/o/:id',
  activity: '/s/:id',
  inbox: '/u/:actor/inbox',
  outbox: '/u/:actor/outbox',
  followers: '/u/:actor/followers',
  following: '/u/:actor/following',
  liked: '/u/:actor/liked',
  collections: '/u/:actor/c/:id',
  blocked: '/u/:actor/blocked',
  rejections: '/u/:actor/rejections',
  rejected: '/u/:actor/rejected',
  shares: '/s/:id/shares',
  likes: '/s/:id/likes',
}

const load = createRequire(new URL('../../../.ci/foreign/package.json', import.meta.url))
const report = (message: Report): void => void process.send?.(message)

async function run(options: Options): Promise<void> {
  const express = load('express') as Express
  const makeApex = load('activitypub-express') as (settings: object) => Apex & Handler
  const baseUrl = `https://localhost:${options.port}`
  const log = (...parts: unknown[]): void => void process.stderr.write(`${parts.map(String).join(' ')}\n`)
  const logger = { info: () => undefined, warn: log, error: log }
  const store = new MemoryStore(options.contexts)
  const apex = makeApex({
    name: 'foreign',
    version: '1.0.0',
    baseUrl,
    actorParam: 'actor',
    objectParam: 'id',
    routes: ROUTES,
    store,
    logger,
  })
  const app = express()
  app.use(express.json({ type: apex.consts.jsonldTypes }), apex)

  const { net } = apex
  const inbox = net['inbox']?.post ?? []
  const verified = inbox.indexOf(net.security.verifySignature) + 1
  const reporting: Handler = (request, _response, next) => {
    void apex.toJSONLD(request.body).then(activity => report({ kind: 'verified', activity }))
    next()
  }
  app.route(ROUTES.inbox).post([...inbox.slice(0, verified), reporting, ...inbox.slice(verified)])
  for (const [name, path] of [
    ['actor', ROUTES.actor],
    ['outbox', ROUTES.outbox],
    ['followers', ROUTES.followers],
    ['following', ROUTES.following],
    ['object', ROUTES.object],
    ['activityStream', ROUTES.activity],
    ['webfinger', '/.well-known/webfinger'],
    ['nodeInfoLocation', '/.well-known/nodeinfo'],
    ['nodeInfo', '/nodeinfo/:version'],
  ] as const)
    app.get(path, net[name]?.get ?? [])

  const actor = await apex.createActor(options.name, options.name, 'A person of another program')
  const stranger = await apex.createActor('stranger', 'Stranger', '')
  for (const one of [actor, stranger]) await store.saveObject(one)

  app.on('apex-inbox', ({ activity, actor: sender, recipient }) => {
    if (activity.type !== 'Follow') return
    void (async () => {
      const accept = await apex.buildActivity('Accept', recipient.id, [sender.id], { object: activity.id })
      await apex.acceptFollow(recipient, activity)
      await apex.addToOutbox(recipient, accept)
    })().catch(fail)
  })

  async function publish({ number, type, to, cc, object, isStored, isForged }: Publication): Promise<void> {
    if (isStored && typeof object === 'object' && object !== null) {
      const document = await apex.fromJSONLD(object)
      if (!(await store.saveObject(document))) await store.updateObject(document, actor.id, true)
    }
    const activity = await apex.buildActivity(type, actor.id, to, { object, ...(cc && { cc }) })
    const signer = isForged ? { ...actor, _meta: { ...stranger._meta } } : actor
    await apex.addToOutbox(signer, activity)
    report({ kind: 'published', number, id: activity.id })
  }

  process.on('message', (publication: Publication) => void publish(publication).catch(fail))
  createServer({ key: readFileSync(options.key), cert: readFileSync(options.certificate) }, app).listen(
    options.port,
    '127.0.0.1',
    () => report({ kind: 'ready', actor: actor.id, followers: String([actor['followers']].flat()[0]) }),
  )
}

const fail = (error: unknown): void =>
  report({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) })

process.once('message', (options: Options) => void run(options).catch(fail))
process.on('disconnect', () => process.exit(0))
