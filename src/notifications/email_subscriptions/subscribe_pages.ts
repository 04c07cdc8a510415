import { accountFragments, type AccountFragment } from '../../accounts/index.ts'
import { openWebSession, type WebSession } from '../../auth/sessions/index.ts'
import { fieldErrorsOf } from '../../auth/sign_up/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { hashSecret } from '../../core/secret.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { operation, param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import {
  CSRF_PARAMETER,
  field,
  form,
  hidden,
  html,
  pageResponse,
  phrase,
  submit,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import { CONFIRMATION_PATH } from './links.ts'
import { subscribe } from './subscribe.ts'

const findConfirmation = query(
  'notifications/email_subscriptions/find_confirmation',
  { token_hash: c.bytes },
  { id: c.id, email: c.text, account_id: c.id, offered: c.boolean },
)
const confirm = query('notifications/email_subscriptions/confirm', { subscription: c.id }, {})

const PATH = '/email_subscriptions'

/** The submitted values of a form, with their errors. */
interface Sent {
  readonly email: string
  readonly errors: readonly string[] | undefined
}

/**
 * The form on a profile. It has no CSRF token, because the page is the same for everybody, and
 * because it does nothing in the name of its visitor.
 */
export function subscribeForm({ t }: Translator, account: Id, acct: string, sent?: Sent): Html {
  return html`<section class="card" aria-labelledby="subscribe_title">
    <h2 id="subscribe_title">${t('subscribe.title')}</h2>
    <p>${phrase(t('subscribe.intro'), { account: html`<bdi>@${acct}</bdi>` })}</p>
    <form action="${PATH}" method="post">
      ${hidden('account_id', account)}
      ${field({
        label: t('field.email'),
        name: 'email',
        id: 'subscribe_email',
        type: 'email',
        autocomplete: 'email',
        required: true,
        verbatim: true,
        value: sent?.email,
        errors: sent?.errors,
      })}
      <div class="trap" aria-hidden="true">
        <label>${t('subscribe.title')} <input name="website" value="" tabindex="-1" autocomplete="off" /></label>
      </div>
      ${submit(t('subscribe.submit'))}
    </form>
  </section>`
}

/** Answers alike whether or not the address is subscribed. */
export const subscribeByForm = operation({
  method: 'POST',
  path: PATH,
  summary: "Subscribe an e-mail address to an account's posts, by the form on its profile",
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    account_id: param.id(),
    email: param.string({ default: '' }),
    website: param.string({ default: '', description: 'filled in by programs only' }),
  },
  returns: 'text/html',
  async handle({ account_id: id, email, website }, context) {
    const account = await accountFragments(context).one(id)
    if (!account?.emailSubscriptions) throw new ApiError('routeNotFound')
    const webSession = await openWebSession(context)
    const { translator } = webSession
    if (!webSession.viewer && context.settings.get('limited_federation_mode')) return redirect('/auth/sign_in')
    const errors =
      website === '' ? await fieldErrorsOf(translator, () => subscribe(context, account, email)) : undefined
    if (errors) {
      const sent = { email, errors: errors['email'] }
      const body = subscribeForm(translator, id, account.acct, sent)
      return pageResponse(context, webSession, {
        title: translator.t('subscribe.title'),
        body,
        column: true,
        status: 422,
      })
    }
    return page(context, webSession, 'subscribe.title', [
      html`<p role="status">
        ${phrase(translator.t('subscribe.sent'), { email: html`<strong>${email.trim()}</strong>` })}
      </p>`,
      html`<p><a href="${account.url}">@${account.acct}</a></p>`,
    ])
  },
})

type Title = 'subscribe.title' | 'subscribe.confirm_title'

function page(context: Context, webSession: WebSession, key: Title, content: Content, status = 200): Response {
  const title = webSession.translator.t(key)
  return pageResponse(context, webSession, { title, body: [html`<h1>${title}</h1>`, content], status })
}

interface Waiting extends Row<typeof findConfirmation.columns> {
  readonly account: AccountFragment
}

/** The subscription that a link confirms, or the page that explains why it cannot. */
async function findWaiting(context: Context, webSession: WebSession, token: string): Promise<Waiting | Response> {
  const found = await context.database.one(findConfirmation, { token_hash: hashSecret(token) })
  const account = found && (await accountFragments(context).one(found.account_id))
  const refuse = (key: 'subscribe.stale' | 'subscribe.closed', status: number): Response =>
    page(
      context,
      webSession,
      'subscribe.confirm_title',
      html`<p role="alert">${webSession.translator.t(key)}</p>`,
      status,
    )
  if (!account) return refuse('subscribe.stale', 404)
  return found.offered && account.emailSubscriptions ? { ...found, account } : refuse('subscribe.closed', 404)
}

/** Programs that open the links of e-mails must not confirm: the page asks. */
export const askForConfirmation = operation({
  method: 'GET',
  path: CONFIRMATION_PATH,
  summary: 'Ask whether a subscription by e-mail is confirmed',
  auth: 'public',
  scopes: [],
  page: true,
  params: { confirmation_token: param.string({ default: '' }) },
  returns: 'text/html',
  async handle({ confirmation_token: token }, context) {
    const webSession = await openWebSession(context)
    const found = await findWaiting(context, webSession, token)
    if (!('account' in found)) return found
    const { t } = webSession.translator
    const values = { account: html`<bdi>@${found.account.acct}</bdi>`, email: html`<strong>${found.email}</strong>` }
    return page(context, webSession, 'subscribe.confirm_title', [
      html`<p>${phrase(t('subscribe.confirm_intro'), values)}</p>`,
      form({ action: CONFIRMATION_PATH, csrfToken: webSession.csrfToken() }, [
        hidden('confirmation_token', token),
        submit(t('subscribe.confirm')),
      ]),
    ])
  },
})

export const confirmSubscription = operation({
  method: 'POST',
  path: CONFIRMATION_PATH,
  summary: 'Confirm a subscription by e-mail',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    confirmation_token: param.string({ default: '' }),
  },
  returns: 'redirect',
  async handle({ confirmation_token: token, ...form }, context) {
    const webSession = await openWebSession(context)
    webSession.requireCsrf(form[CSRF_PARAMETER])
    const found = await findWaiting(context, webSession, token)
    if (!('account' in found)) return found
    await context.database.run(confirm, { subscription: found.id })
    const { t } = webSession.translator
    const values = { account: html`<bdi>@${found.account.acct}</bdi>`, email: html`<strong>${found.email}</strong>` }
    return page(context, webSession, 'subscribe.confirm_title', [
      html`<p role="status">${phrase(t('subscribe.confirmed'), values)}</p>`,
      html`<p><a href="${found.account.url}">@${found.account.acct}</a></p>`,
    ])
  },
})
