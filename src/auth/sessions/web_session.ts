import { randomBytes } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
import { cookie, type Request } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { chooseLanguage, translator } from '../../platform/i18n/index.ts'
import type { Notice, PageVisitor } from '../../platform/ui/index.ts'
import { isLocalPath, parseCookieState, type CookieState } from './cookie_state.ts'
import { sameSignature, seal, sign, unseal } from './signed_cookie.ts'
import { endSession, findSession, startSession, type Session } from './session.ts'

const SESSION_COOKIE = '_session_id'
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
  /** Returns the stored path and removes it. */
  takePath(): string | undefined
  /** Shows a message on the next page. */
  flash(text: string, kind?: Notice['kind']): void
  /** The user whose password was correct, and when (ms), while the second factor is pending. */
  pending(): { userId: Id; at: number } | undefined
  awaitSecondFactor(userId: Id | undefined): void
  /** Whether the password was confirmed recently, as sensitive pages require. */
  isPasswordConfirmed(): boolean
  /** Records that the password was confirmed. */
  confirmPassword(): void
  /** Records that the sign-up form is shown now. */
  recordFormShown(): void
  /** When the sign-up form was first shown, in milliseconds. */
  formShownAt(): number | undefined
  signIn(userId: Id): Promise<void>
  /** Signs out; keeps the stored path if asked to. */
  signOut(options: { keepPath: boolean }): Promise<void>
}

/** Opens the session of a request. A browser gets a cookie only when it is needed. */
export async function openWebSession(services: Services & { request: Request }): Promise<WebSession> {
  const { request, database, tokens, secrets, config } = services
  const secret = secrets.cookieSecret
  const cookies = new Map<string, string>()
  const presented = cookie(request, SESSION_COOKIE)
  let session = presented === undefined ? undefined : await findSession(database, presented, request.address)
  let viewer = session && (await tokens.viewer(session.userId))
  let memory = readMemory(request, secret)

  function put(name: string, value: string, maxAgeSeconds?: number): void {
    const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
    const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
    cookies.set(name, `${name}=${value}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`)
  }

  function change(work: (memory: CookieState) => void): void {
    memory ??= { id: randomBytes(16).toString('base64url') }
    work(memory)
    put(MEMORY_COOKIE, seal(secret, 'memory', JSON.stringify(memory)))
  }

  /** The value that forms are bound to: the session, else the random id in the other cookie. */
  const owner = (): string | undefined => session?.secret ?? memory?.id

  const csrfSignature = (salt: string): string => sign(secret, 'csrf', `${salt}.${owner() ?? ''}`)

  const asked = new URLSearchParams(request.query).get('lang')

  return {
    get speaker() {
      return translator(chooseLanguage(asked, viewer?.locale, request.header('accept-language'), config.defaultLocale))
    },
    get viewer() {
      return viewer ?? null
    },
    get session() {
      return session ?? null
    },
    csrfToken() {
      if (owner() === undefined) change(() => undefined)
      // A fresh salt for every page defeats compression attacks (BREACH).
      const salt = randomBytes(9).toString('base64url')
      return `${salt}.${csrfSignature(salt)}`
    },
    requireCsrf(token) {
      const [salt = '', signature = ''] = token?.split('.') ?? []
      if (owner() === undefined || !sameSignature(signature, csrfSignature(salt))) throw new ApiError('csrf')
    },
    remember(path) {
      if (isLocalPath(path)) change(memory => (memory.returnTo = path))
    },
    takePath() {
      const path = memory?.returnTo
      if (path !== undefined) change(memory => delete memory.returnTo)
      return path
    },
    flash(text, kind = 'notice') {
      change(memory => (memory.notice = { text, kind }))
    },
    takeNotice() {
      const notice = memory?.notice
      if (notice) change(memory => delete memory.notice)
      return notice
    },
    pending: () => memory?.pending,
    awaitSecondFactor(userId) {
      change(memory => {
        if (userId === undefined) delete memory.pending
        else memory.pending = { userId, at: Date.now() }
      })
    },
    isPasswordConfirmed() {
      const { userId, at = 0 } = memory?.challenged ?? {}
      return session !== undefined && userId === session.userId && Date.now() - at < CHALLENGE_MS
    },
    confirmPassword() {
      const userId = session?.userId
      if (userId !== undefined) change(memory => (memory.challenged = { userId, at: Date.now() }))
    },
    recordFormShown() {
      if (memory?.formShownAt === undefined) change(memory => (memory.formShownAt = Date.now()))
    },
    formShownAt: () => memory?.formShownAt,
    async signIn(userId) {
      if (session) await endSession(database, session)
      const browser = { userAgent: request.header('user-agent'), address: request.address }
      session = await startSession(database, userId, browser)
      viewer = await tokens.viewer(userId)
      put(SESSION_COOKIE, session.secret, YEAR_SECONDS)
      if (memory?.pending || memory?.formShownAt !== undefined) {
        change(memory => {
          delete memory.pending
          delete memory.formShownAt
        })
      }
    },
    async signOut({ keepPath }) {
      if (session) await endSession(database, session)
      session = undefined
      viewer = undefined
      put(SESSION_COOKIE, '', 0)
      const path = memory?.returnTo
      memory = undefined
      change(memory => {
        if (keepPath && path !== undefined) memory.returnTo = path
      })
    },
    answer: answer => (cookies.size === 0 ? answer : answer.with({ 'Set-Cookie': [...cookies.values()].join('\n') })),
  }
}

function readMemory(request: Request, secret: string): CookieState | undefined {
  const text = unseal(secret, 'memory', cookie(request, MEMORY_COOKIE) ?? '')
  return text === undefined ? undefined : parseCookieState(text)
}
