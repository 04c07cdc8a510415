import { signedInForm, signedInPage } from '../auth/account_settings/index.ts'
import { errorsIn } from '../auth/sign_up/index.ts'
import type { WebSession } from '../auth/sessions/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Permission } from '../core/permissions.ts'
import type { Viewer } from '../core/viewer.ts'
import { redirect, Response, type AnyOperation, type Context } from '../platform/http/index.ts'
import type { Declared, Parsed } from '../platform/http/param/index.ts'
import { translateError, type Translator } from '../platform/i18n/index.ts'
import { staffPage, staffRules, type StaffPage } from './staff_page.ts'

/** The signed-in user of a page of the staff's area, with the request's context. */
export interface Staff {
  readonly context: Context
  readonly webSession: WebSession
  readonly viewer: Viewer
  readonly translator: Translator
  readonly t: Translator['t']
}

interface StaffOperation<P extends Declared> {
  readonly path: string
  readonly summary: string
  /** The role needs any one of these. */
  readonly permissions: readonly Permission[]
  readonly params: P
}

interface StaffView<P extends Declared> extends StaffOperation<P> {
  /** An HTML page by default. */
  readonly returns?: string
  /** Returns the page, or another response, such as a file. */
  show(parameters: Parsed<P>, staff: Staff): Promise<StaffPage | Response> | StaffPage | Response
}

const createStaff = (context: Context, webSession: WebSession, viewer: Viewer): Staff => ({
  context,
  webSession,
  viewer,
  translator: webSession.translator,
  t: webSession.translator.t,
})

/** Declares a page of the staff's area. Users without the permission get a 403. */
export const staffView = <const P extends Declared>({ permissions, show, ...declared }: StaffView<P>): AnyOperation =>
  signedInPage<P>({
    ...declared,
    ...staffRules(permissions),
    async show(parameters, context, webSession, viewer) {
      const page = await show(parameters, createStaff(context, webSession, viewer))
      return page instanceof Response ? webSession.respond(page) : staffPage(context, webSession, viewer, page)
    },
  })

/** The result of a form: the page to redirect to, with a message. */
export interface FormResult {
  readonly to: string
  readonly notice?: string
  /** The reason why nothing was changed; replaces the notice. */
  readonly alert?: string
}

interface StaffForm<P extends Declared> extends StaffOperation<P> {
  /** POST by default. */
  readonly method?: 'POST' | 'PUT' | 'DELETE'
  readonly bodyLimitBytes?: number
  /**
   * Makes the change. A returned page is shown instead of a redirect, such as the form with errors.
   */
  act(parameters: Parsed<P>, staff: Staff): Promise<FormResult | StaffPage>
  /**
   * Shows the form again with the message of a validation error that `act` throws. Without it, the
   * error is shown on its own page.
   */
  showError?(parameters: Parsed<P>, staff: Staff, message: string): Promise<StaffPage> | StaffPage
}

/**
 * Declares the operation that a form of the staff's area submits to: it checks the CSRF token and
 * the permissions, makes the change, and redirects to a page with a message.
 */
export function staffForm<const P extends Declared>(declared: StaffForm<P>): AnyOperation {
  const { permissions, act, showError: again, method = 'POST', ...rest } = declared
  return signedInForm<P>({
    ...rest,
    ...staffRules(permissions),
    method,
    async act(parameters, context, webSession, viewer) {
      const staff = createStaff(context, webSession, viewer)
      const result = await act(parameters, staff).catch(async error => {
        if (!again || !isInvalid(error)) throw error
        return again(parameters, staff, describeError(error, staff))
      })
      if ('body' in result) return staffPage(context, webSession, viewer, { status: 422, ...result })
      const { to, notice, alert } = result
      if (alert !== undefined) webSession.flash(alert, 'alert')
      else if (notice !== undefined) webSession.flash(notice)
      return webSession.respond(redirect(to, 303))
    },
  })
}

/** The validation errors of a form as one sentence, in the language of the page. */
function describeError(error: ApiError, { translator, t }: Staff): string {
  const sentences = Object.entries(errorsIn(error, translator)).flatMap(([field, texts]) => {
    const label = `form_error.field.${field}`
    return texts.map(text => (translator.has(label) ? `${t(label)} ${text}` : text))
  })
  return sentences.length > 0 ? sentences.join(', ') : translateError(error.message, translator)
}

const isInvalid = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'validation'
