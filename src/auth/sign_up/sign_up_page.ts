import type { Response, Context } from '../../platform/http/index.ts'
import {
  checkbox,
  field,
  form,
  hidden,
  html,
  pageResponse,
  phrase,
  submit,
  textArea,
  type Content,
  type Html,
} from '../../platform/ui/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { FieldErrors } from './form_errors.ts'
import type { Invite } from './invite.ts'
import type { Rule } from './rules.ts'

/** The submitted values, which are shown again. */
export interface SignUpForm {
  readonly username: string
  readonly displayName: string
  readonly email: string
  readonly reason: string
  readonly dateOfBirth: string
}

export const EMPTY_FORM: SignUpForm = { username: '', displayName: '', email: '', reason: '', dateOfBirth: '' }

/** The server's rules, to be accepted before the form is shown. */
export function rulesPage(
  context: Context,
  webSession: WebSession,
  rules: readonly Rule[],
  proof: string,
  invite: Invite | undefined,
): Response {
  const { t } = webSession.translator
  const body = html`<h1>${t('rules.title')}</h1>
    <p>${invited(webSession.translator, invite)}${t('rules.intro', { domain: context.config.localDomain })}</p>
    <ol>
      ${rules.map(({ text, hint }) => html`<li>${text}${hint !== '' && html`<br /><span class="quiet">${hint}</span>`}</li>`)}
    </ol>
    ${form({ action: '/auth/acceptance', csrfToken: webSession.csrfToken() }, [
      hidden('accept', proof),
      invite && hidden('invite_code', invite.code),
      submit(t('rules.accept')),
    ])}
    <p><a href="/auth/sign_in">${t('sign_up.have_one')}</a></p>`
  return pageResponse(context, webSession, { title: t('rules.title'), body })
}

/** The sign-up form, with the errors of the previous attempt. */
export function signUpPage(
  context: Context,
  webSession: WebSession,
  shown: { filledIn: SignUpForm; invite: Invite | undefined; errors?: FieldErrors; alert?: string },
): Response {
  const { invite, alert } = shown
  webSession.recordFormShown()
  const byApproval = registrationsMode(context) === 'approved' && invite?.good !== true
  const { t } = webSession.translator
  const domain = html`<strong>${context.config.localDomain}</strong>`
  const body = html`<h1>${t('sign_up.title')}</h1>
    <p>${invited(webSession.translator, invite)}${phrase(t('sign_up.intro'), { domain })}</p>
    ${byApproval && html`<p class="notice">${t('sign_up.by_approval')}</p>`}
    ${form({ action: '/auth', csrfToken: webSession.csrfToken() }, [
      fields(context, webSession.translator, shown, byApproval),
      invite && hidden('user[invite_code]', invite.code),
      submit(t(byApproval ? 'sign_up.ask' : 'sign_up.submit')),
    ])}
    <p><a href="/auth/sign_in">${t('sign_up.have_one')}</a></p>`
  return pageResponse(context, webSession, {
    title: t('sign_up.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}

const invited = ({ t }: Translator, invite: Invite | undefined): Content =>
  invite?.good === true && [phrase(t('sign_up.invited'), { name: html`<strong>@${invite.username}</strong>` }), ' ']

/** The e-mail address is the `username` of password managers, because the sign-in asks for it. */
function fields(
  { settings, config }: Context,
  translator: Translator,
  { filledIn, errors = {} }: { filledIn: SignUpForm; errors?: FieldErrors },
  byApproval: boolean,
): (Html | false)[] {
  const { t } = translator
  const leastYears = settings.get('min_age')
  return [
    field({
      label: t('sign_up.username'),
      name: 'user[account_attributes][username]',
      value: filledIn.username,
      autocomplete: 'off',
      hint: t('sign_up.username_hint', { domain: config.localDomain }),
      errors: errors['username'],
      maxLength: 30,
      pattern: '[A-Za-z0-9_]+',
      required: true,
      verbatim: true,
    }),
    field({
      label: t('sign_up.display_name'),
      name: 'user[account_attributes][display_name]',
      value: filledIn.displayName,
      autocomplete: 'name',
      errors: errors['display_name'],
      maxLength: 40,
    }),
    field({
      label: t('field.email'),
      name: 'user[email]',
      type: 'email',
      value: filledIn.email,
      autocomplete: 'username',
      hint: t('sign_up.email_hint'),
      errors: errors['email'],
      required: true,
      verbatim: true,
    }),
    ...newPasswordFields(translator, errors),
    leastYears !== null &&
      field({
        label: t('sign_up.birth'),
        name: 'user[date_of_birth]',
        type: 'date',
        value: filledIn.dateOfBirth,
        autocomplete: 'bday',
        hint: t('sign_up.birth_hint', { years: leastYears }),
        errors: errors['date_of_birth'],
        required: true,
      }),
    byApproval &&
      textArea({
        label: t('sign_up.reason'),
        name: 'user[invite_request_attributes][text]',
        value: filledIn.reason,
        maxLength: 420,
        required: settings.get('require_invite_text'),
        errors: errors['reason'],
      }),
    trap(t('sign_up.trap')),
    checkbox({
      label: phrase(t('sign_up.agreement'), {
        rules: html`<a href="/about" target="_blank">${t('sign_up.agreement_rules')}</a>`,
        privacy: html`<a href="/privacy-policy" target="_blank">${t('sign_up.agreement_privacy')}</a>`,
      }),
      name: 'user[agreement]',
      errors: errors['agreement'],
    }),
  ]
}

/** The fields for a new password and its repetition; with `change` they are optional. */
export function newPasswordFields({ t }: Translator, errors: FieldErrors, { change = false } = {}): Html[] {
  const hint = t(change ? 'field.password_change_hint' : 'field.password_hint')
  return [
    field({
      label: t(change ? 'field.new_password' : 'field.password'),
      name: 'user[password]',
      type: 'password',
      autocomplete: 'new-password',
      hint,
      errors: errors['password'],
      minLength: 8,
      maxLength: 72,
      required: !change,
    }),
    field({
      label: t(change ? 'field.new_password_again' : 'field.password_again'),
      name: 'user[password_confirmation]',
      type: 'password',
      autocomplete: 'new-password',
      errors: errors['password_confirmation'],
      required: !change,
    }),
  ]
}

/** Fields that are hidden from people and filled in by bots. */
const trap = (label: string): Html =>
  html`<div class="trap" aria-hidden="true">
    <label>${label} <input name="user[website]" value="" tabindex="-1" autocomplete="off" /></label>
    <label>${label} <input name="user[confirm_password]" value="" tabindex="-1" autocomplete="off" /></label>
  </div>`
