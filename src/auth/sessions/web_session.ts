import { randomBytes } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import { ApiError } from '../../core/errors.ts'
import { cookie, pageLanguage, type Request } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { sameSecret } from '../../core/secret.ts'
import type { Viewer } from '../../core/viewer.ts'
import { isTimeZone } from '../../core/zoned_time.ts'
import type { Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { translatorFor, type Translator } from '../../platform/i18n/index.ts'
import type { Notice, PageVisitor } from '../../platform/ui/index.ts'
import { isLocalPath, parseCookieState, type CookieState, type PendingLogin } from './cookie_state.ts'
import { seal, sign, unseal } from './signed_cookie.ts'
import { endSession, findSession, SESSION_COOKIE, startSession, type Session } from './session.ts'

const MEMORY_COOKIE = '_mastodon_session'
const YEAR_SECONDS = 365 * 24 * 60 * 60
const CHALLENGE_MS = 60 * 60 * 1000

/** The session of a page request: the signed-in user, the cookie state and CSRF protection. */
export interface WebSession extends PageVisitor {
  readonly session: Session | null
  /** @throws ApiError csrf unless the token comes from a form of this browser */
  requireCsrf(token: string | undefined): void
  /** Stores the path to redirect to after sign-in. Anything but a local path is ignored. */
  remember(path: string): void
  /** The stored path, which stays stored. */
  storedPath(): string | undefined
  /** Returns the stored path and removes it. */
  takePath(): string | undefined
  /** Shows a message on the next page. */
  flash(text: string, kind?: Notice['kind']): void
  /** The user whose password was correct while the second factor is pending. */
  pending(): PendingLogin | undefined
  awaitSecondFactor(login: Omit<PendingLogin, 'at'> | undefined): void
  /** Stores the challenge that a security key has to sign. */
  expectAssertion(challenge: string): void
  /**
   * Returns the stored challenge, unless it is older, and removes it. The browser keeps it, so that
   * somebody who sends the same cookie again has it again.
   */
  takeChallenge(maxAgeMs: number): { challenge: string; at: Date } | undefined
  /** Whether the password was confirmed recently, as sensitive pages require. */
  isPasswordConfirmed(): boolean
  /** Records that the password was confirmed. */
  confirmPassword(): void
  /** Records that the sign-up form is shown now. */
  recordFormShown(): void
  /** When the sign-up form was first shown, in milliseconds. */
  formShownAt(): number | undefined
  /**
   * Signs in, unless `admit` refuses. It runs in the transaction that starts the session.
   * @returns whether the user is signed in
   */
  signIn(userId: Id, admit?: (transaction: Runner) => Promise<boolean>): Promise<boolean>
  /** Signs out; keeps the stored path if asked to. */
  signOut(options: { keepPath: boolean }): Promise<void>
}

/** Opens the session of a request. A browser gets a cookie only when it is needed. */
export async function openWebSession(services: Services & { request: Request }): Promise<WebSession> {
  const { request, tokens } = services
  const presented = cookie(request, SESSION_COOKIE)
  const session = presented === undefined ? undefined : await findSession(services, presented, request.address)
  const viewer = session && (await tokens.viewer(session.userId))
  if (viewer) {
    request.learned.account = viewer.id
    request.learned.locale = viewer.locale
  }
  return new OpenSession(services, session, viewer)
}

class OpenSession implements WebSession {
  readonly #services: Services & { request: Request }
  readonly #secret: string
  /** The cookies to set, by name. */
  readonly #cookies = new Map<string, string>()
  #session: Session | undefined
  #viewer: Viewer | undefined
  /** Created once, because a page uses it many times. */
  #translator: Translator | undefined
  #memory: CookieState | undefined

  constructor(services: Services & { request: Request }, session: Session | undefined, viewer: Viewer | undefined) {
    this.#services = services
    this.#secret = services.secrets.cookieSecret
    this.#session = session
    this.#viewer = viewer
    this.#memory = readMemory(services.request, this.#secret)
  }

  get translator(): Translator {
    return (this.#translator ??= this.#findTranslator())
  }

  #findTranslator(): Translator {
    const { request, config } = this.#services
    const translator = translatorFor(pageLanguage(request, config, this.#viewer?.locale ?? null))
    const zone = this.#viewer?.timeZone ?? undefined
    return zone !== undefined && isTimeZone(zone) ? { ...translator, timeZone: zone } : translator
  }

  get viewer(): Viewer | null {
    return this.#viewer ?? null
  }

  get session(): Session | null {
    return this.#session ?? null
  }

  #put(name: string, value: string, maxAgeSeconds?: number): void {
    const cookie = stringifySetCookie({
      name,
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#services.config.publicUrl.startsWith('https:'),
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
    })
    this.#cookies.set(name, cookie)
  }

  #change(work: (memory: CookieState) => void): void {
    this.#memory ??= { id: randomBytes(16).toString('base64url') }
    work(this.#memory)
    this.#put(MEMORY_COOKIE, seal(this.#secret, 'memory', JSON.stringify(this.#memory)))
  }

  /** The value that forms are bound to: the session, else the random id in the other cookie. */
  get #owner(): string | undefined {
    return this.#session?.secret ?? this.#memory?.id
  }

  #csrfSignature(salt: string): string {
    return sign(this.#secret, 'csrf', `${salt}.${this.#owner ?? ''}`)
  }

  csrfToken(): string {
    if (this.#owner === undefined) this.#change(() => undefined)
    // A fresh salt for every page defeats compression attacks (BREACH).
    const salt = randomBytes(9).toString('base64url')
    return `${salt}.${this.#csrfSignature(salt)}`
  }

  requireCsrf(token: string | undefined): void {
    const [salt = '', signature = ''] = token?.split('.') ?? []
    if (this.#owner === undefined || !sameSecret(signature, this.#csrfSignature(salt))) throw new ApiError('csrf')
  }

  remember(path: string): void {
    if (isLocalPath(path)) this.#change(memory => (memory.returnTo = path))
  }

  storedPath(): string | undefined {
    return this.#memory?.returnTo
  }

  takePath(): string | undefined {
    const path = this.#memory?.returnTo
    if (path !== undefined) this.#change(memory => delete memory.returnTo)
    return path
  }

  flash(text: string, kind: Notice['kind'] = 'notice'): void {
    this.#change(memory => (memory.notice = { text, kind }))
  }

  takeNotice(): Notice | undefined {
    const notice = this.#memory?.notice
    if (notice) this.#change(memory => delete memory.notice)
    return notice
  }

  pending(): PendingLogin | undefined {
    return this.#memory?.pending
  }

  awaitSecondFactor(login: Omit<PendingLogin, 'at'> | undefined): void {
    this.#change(memory => {
      if (!login) delete memory.pending
      else memory.pending = { userId: login.userId, passwordDigest: login.passwordDigest, at: Date.now() }
    })
  }

  expectAssertion(challenge: string): void {
    this.#change(memory => (memory.assertion = { challenge, at: Date.now() }))
  }

  takeChallenge(maxAgeMs: number): { challenge: string; at: Date } | undefined {
    const kept = this.#memory?.assertion
    if (!kept) return undefined
    this.#change(memory => delete memory.assertion)
    return Date.now() - kept.at < maxAgeMs ? { challenge: kept.challenge, at: new Date(kept.at) } : undefined
  }

  isPasswordConfirmed(): boolean {
    const { userId, at = 0 } = this.#memory?.challenged ?? {}
    return this.#session !== undefined && userId === this.#session.userId && Date.now() - at < CHALLENGE_MS
  }

  confirmPassword(): void {
    const userId = this.#session?.userId
    if (userId !== undefined) this.#change(memory => (memory.challenged = { userId, at: Date.now() }))
  }

  recordFormShown(): void {
    if (this.#memory?.formShownAt === undefined) this.#change(memory => (memory.formShownAt = Date.now()))
  }

  formShownAt(): number | undefined {
    return this.#memory?.formShownAt
  }

  async signIn(userId: Id, admit?: (transaction: Runner) => Promise<boolean>): Promise<boolean> {
    const { request, config, database, tokens } = this.#services
    const browser = { userAgent: request.header('user-agent'), address: request.address }
    const started = await database.transaction(async transaction => {
      if (admit && !(await admit(transaction))) return undefined
      if (this.#session) await endSession(transaction, this.#session)
      return startSession({ config, database: transaction }, userId, browser)
    })
    if (!started) return false
    this.#session = started
    this.#viewer = await tokens.viewer(userId)
    this.#translator = undefined
    if (this.#viewer) request.learned.account = this.#viewer.id
    this.#put(SESSION_COOKIE, started.secret, YEAR_SECONDS)
    if (this.#memory?.pending || this.#memory?.formShownAt !== undefined) {
      this.#change(memory => {
        delete memory.pending
        delete memory.formShownAt
      })
    }
    return true
  }

  async signOut({ keepPath }: { keepPath: boolean }): Promise<void> {
    if (this.#session) await endSession(this.#services.database, this.#session)
    this.#session = undefined
    this.#viewer = undefined
    this.#translator = undefined
    this.#put(SESSION_COOKIE, '', 0)
    const path = this.#memory?.returnTo
    this.#memory = undefined
    this.#change(memory => {
      if (keepPath && path !== undefined) memory.returnTo = path
    })
  }

  respond: WebSession['respond'] = response =>
    this.#cookies.size === 0 ? response : response.with({ 'Set-Cookie': [...this.#cookies.values()].join('\n') })
}

function readMemory(request: Request, secret: string): CookieState | undefined {
  const text = unseal(secret, 'memory', cookie(request, MEMORY_COOKIE) ?? '')
  return text === undefined ? undefined : parseCookieState(text)
}
