import type { Random } from '../../src/cli/seed/random.ts'
import { createConnection, writeRequest, type Connection, type Received } from './connection.ts'
import { Count } from './count.ts'
import type { Action } from './day_plan.ts'
import { markOf, type DayStreams } from './day_streams.ts'
import { nowMicroseconds } from './latency.ts'
import type { PushReceiver } from './push_receiver.ts'

/** A status on the screen of a visitor. */
interface Shown {
  readonly id: string
  readonly account: { readonly id: string; readonly acct: string }
}

/** What a visitor sees. */
export interface Screen {
  readonly person: number
  readonly token: string
  shown: readonly Shown[]
}

interface Request {
  readonly label: string
  readonly method?: string
  readonly path: string
  readonly body?: string | Buffer
  readonly type?: string
}

const HOME = '/api/v1/timelines/home?limit=20'
const WORDS = ['garden', 'coffee', 'bicycle', 'weather', 'music', 'library']
const MAX_FAILURES = 5
const MAX_IDLE_US = 4_000_000
const BOUNDARY = 'millrace-bench-picture'

const pictureBody = (picture: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="picture.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ])

const labelled = (what: string, first: boolean): string => `${what}, ${first ? 'first of a visit' : 'again'}`

export interface DayRequestsOptions {
  readonly url: string
  readonly random: Random
  readonly streams: DayStreams
  readonly phones: PushReceiver
  /** A JPEG. */
  readonly picture: Buffer
}

/** Sends the requests of visitors, each when it is due, and counts the responses by kind. */
export class DayRequests {
  readonly all = new Count()
  readonly byLabel = new Map<string, Count>()
  readonly failures: string[] = []
  unanswered = 0
  /** Requests due before this time are not counted. */
  countFromUs = 0
  readonly #options: DayRequestsOptions
  readonly #url: URL
  readonly #upload: Buffer
  /** The last one was used last. */
  readonly #idle: { connection: Connection; sinceUs: number }[] = []
  #posts = 0

  constructor(options: DayRequestsOptions) {
    this.#options = options
    this.#url = new URL(options.url)
    this.#upload = pictureBody(options.picture)
  }

  async perform({ kind, first }: Action, screen: Screen, dueUs: number): Promise<void> {
    if (kind === 'home') await this.#home(first, screen, dueUs)
    else if (kind === 'post') await this.#post(screen, dueUs, 'post', {})
    else if (kind === 'picture') await this.#postPicture(screen, dueUs)
    else if (kind === 'notifications')
      await this.#send({ label: labelled(kind, first), path: '/api/v2/notifications?limit=20' }, screen, dueUs)
    else if (kind === 'search') {
      const path = `/api/v2/search?q=${this.#options.random.pick(WORDS)}&limit=10`
      await this.#send({ label: kind, path }, screen, dueUs)
    } else if (kind === 'subscribe') {
      const body = this.#options.phones.subscriptionOf(screen.person)
      await this.#send({ label: kind, method: 'POST', path: '/api/v1/push/subscription', body }, screen, dueUs)
    } else await this.#aboutStatus(kind, screen, dueUs)
  }

  /** Counts what has no request, such as opening a stream. */
  note(label: string, dueUs: number, failure?: string): void {
    if (failure !== undefined && this.failures.length < MAX_FAILURES) this.failures.push(`${label}: ${failure}`)
    if (dueUs < this.countFromUs) return
    const count = this.byLabel.get(label) ?? new Count()
    this.byLabel.set(label, count)
    for (const one of [this.all, count]) one.add(failure !== undefined, nowMicroseconds() - dueUs)
  }

  close(): void {
    for (const { connection } of this.#idle) connection.close()
  }

  /** Something that a visitor does with a status on the screen. */
  async #aboutStatus(
    kind: 'context' | 'account' | 'favourite' | 'reply',
    screen: Screen,
    dueUs: number,
  ): Promise<void> {
    // Somebody without any status on the screen looks again.
    if (screen.shown.length === 0) return this.#home(false, screen, dueUs)
    const { id, account } = this.#options.random.pick(screen.shown)
    const status = `/api/v1/statuses/${id}`
    if (kind === 'reply') await this.#post(screen, dueUs, kind, { in_reply_to_id: id, mentioned: account.acct })
    else if (kind === 'context') await this.#send({ label: kind, path: `${status}/context` }, screen, dueUs)
    else if (kind === 'favourite')
      await this.#send({ label: kind, method: 'POST', path: `${status}/favourite` }, screen, dueUs)
    else await this.#send({ label: kind, path: `/api/v1/accounts/${account.id}/statuses?limit=20` }, screen, dueUs)
  }

  async #home(first: boolean, screen: Screen, dueUs: number): Promise<void> {
    const response = await this.#send({ label: labelled('home', first), path: HOME }, screen, dueUs)
    if (response) screen.shown = JSON.parse(response.body) as Shown[]
  }

  async #post(
    screen: Screen,
    dueUs: number,
    label: string,
    { mentioned, ...more }: { in_reply_to_id?: string; mentioned?: string; media_ids?: string[] },
  ): Promise<void> {
    const number = this.#posts++
    const sentUs = nowMicroseconds()
    // A reply reaches those who follow both: only what reaches all followers has a mark.
    const text = mentioned === undefined ? markOf(dueUs, number) : `@${mentioned} ${number}`
    const status = `${text} something that happened today, with a few more words in it`
    const body = JSON.stringify({ status, visibility: 'public', language: 'en', ...more })
    const response = await this.#send({ label, method: 'POST', path: '/api/v1/statuses', body }, screen, dueUs)
    if (response && mentioned === undefined) this.#options.streams.expect(number, screen.person, sentUs)
  }

  async #postPicture(screen: Screen, dueUs: number): Promise<void> {
    const type = `multipart/form-data; boundary=${BOUNDARY}`
    const upload = { label: 'upload', method: 'POST', path: '/api/v2/media', body: this.#upload, type }
    const response = await this.#send(upload, screen, dueUs)
    const id = response && (JSON.parse(response.body) as { id: string }).id
    if (id !== undefined) await this.#post(screen, nowMicroseconds(), 'post with a picture', { media_ids: [id] })
  }

  /** One that is idle, but not for so long that the server may be closing it. */
  #connection(): Connection {
    const last = this.#idle.pop()
    if (last && nowMicroseconds() - last.sinceUs < MAX_IDLE_US) return last.connection
    last?.connection.close()
    for (const { connection } of this.#idle.splice(0)) connection.close()
    return createConnection(this.#url)
  }

  /** Undefined if the response was an error. */
  async #send(request: Request, { token }: Screen, dueUs: number): Promise<Received | undefined> {
    const { label, method = 'GET', path, ...body } = request
    const connection = this.#connection()
    this.unanswered += 1
    try {
      const response = await connection.send(writeRequest(this.#url, { method, path, token, ...body }), {
        keepBody: true,
      })
      const isError = response.status < 200 || response.status > 299
      this.note(label, dueUs, isError ? `${response.status} ${response.body.slice(0, 100)}` : undefined)
      return isError ? undefined : response
    } catch (error) {
      this.note(label, dueUs, error instanceof Error ? error.message : String(error))
      return undefined
    } finally {
      this.unanswered -= 1
      this.#idle.push({ connection, sinceUs: nowMicroseconds() })
    }
  }
}
