import type { Answer, Context } from '../http/index.ts'
import { checkbox, field, form, hidden, html, pageAnswer, submit, textArea, type Html } from '../pages/index.ts'
import type { Visit } from '../sessions/index.ts'
import type { FieldErrors } from './faults.ts'
import type { Invite } from './invite.ts'
import type { Rule } from './rules.ts'

/** What was filled in, to be shown again. */
export interface FilledIn {
  readonly username: string
  readonly displayName: string
  readonly email: string
  readonly reason: string
  readonly dateOfBirth: string
}

export const NOTHING_FILLED_IN: FilledIn = { username: '', displayName: '', email: '', reason: '', dateOfBirth: '' }

/** The rules of the server, to be accepted before the form comes. */
export function rulesPage(
  context: Context,
  visit: Visit,
  rules: readonly Rule[],
  proof: string,
  invite: Invite | undefined,
): Answer {
  const body = html`<h1>Some ground rules</h1>
    <p>${invited(invite)}These are set by the people who run ${context.config.localDomain}.</p>
    <ol>
      ${rules.map(({ text, hint }) => html`<li>${text}${hint !== '' && html`<br /><span class="quiet">${hint}</span>`}</li>`)}
    </ol>
    ${form({ action: '/auth/acceptance', csrfToken: visit.csrfToken() }, [
      hidden('accept', proof),
      invite && hidden('invite_code', invite.code),
      submit('Accept'),
    ])}
    <p><a href="/auth/sign_in">I have an account already</a></p>`
  return pageAnswer(context, visit, { title: 'Rules', body })
}

/** The sign-up form, again with what was wrong with it. */
export function signUpPage(
  context: Context,
  visit: Visit,
  given: { filledIn: FilledIn; invite: Invite | undefined; errors?: FieldErrors; alert?: string },
): Answer {
  const { invite, alert } = given
  visit.noteForm()
  const byApproval = context.settings.get('registrations_mode') === 'approved' && invite?.good !== true
  const body = html`<h1>Create an account</h1>
    <p>
      ${invited(invite)}With an account on <strong>${context.config.localDomain}</strong> you can follow people and
      post.
    </p>
    ${byApproval && html`<p class="notice">New accounts are looked at by the people who run this server before they can be used.</p>`}
    ${form({ action: '/auth', csrfToken: visit.csrfToken() }, [
      fields(context, given, byApproval),
      invite && hidden('user[invite_code]', invite.code),
      submit(byApproval ? 'Ask for an account' : 'Sign up'),
    ])}
    <p><a href="/auth/sign_in">I have an account already</a></p>`
  return pageAnswer(context, visit, {
    title: 'Create an account',
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}

const invited = (invite: Invite | undefined): Html | undefined =>
  invite?.good === true ? html`<strong>@${invite.username}</strong> invites you. ` : undefined

function fields(
  { settings, config }: Context,
  { filledIn, errors = {} }: { filledIn: FilledIn; errors?: FieldErrors },
  byApproval: boolean,
): (Html | false)[] {
  const leastYears = settings.get('min_age')
  return [
    field({
      label: 'Username',
      name: 'user[account_attributes][username]',
      value: filledIn.username,
      autocomplete: 'username',
      hint: `Letters, digits and _. Others will find you as @name@${config.localDomain}.`,
      errors: errors['username'],
      maxLength: 30,
      pattern: '[A-Za-z0-9_]+',
      required: true,
      verbatim: true,
    }),
    field({
      label: 'Display name (if you like)',
      name: 'user[account_attributes][display_name]',
      value: filledIn.displayName,
      autocomplete: 'name',
      errors: errors['display_name'],
      maxLength: 40,
    }),
    field({
      label: 'E-mail address',
      name: 'user[email]',
      type: 'email',
      value: filledIn.email,
      autocomplete: 'email',
      hint: 'You will be sent an e-mail to confirm it.',
      errors: errors['email'],
      required: true,
      verbatim: true,
    }),
    ...newPasswordFields(errors),
    leastYears !== null &&
      field({
        label: 'Date of birth',
        name: 'user[date_of_birth]',
        type: 'date',
        value: filledIn.dateOfBirth,
        autocomplete: 'bday',
        hint: `You must be at least ${leastYears} years old. The date is not kept.`,
        errors: errors['date_of_birth'],
        required: true,
      }),
    byApproval &&
      textArea({
        label: 'Why do you want to join?',
        name: 'user[invite_request_attributes][text]',
        value: filledIn.reason,
        maxLength: 420,
        required: settings.get('require_invite_text'),
        errors: errors['reason'],
      }),
    trap(),
    checkbox({
      label: 'I agree to the rules of this server and to its privacy policy',
      name: 'user[agreement]',
      errors: errors['agreement'],
    }),
  ]
}

/** A new password, twice; with `change` one may be left out. */
export function newPasswordFields(errors: FieldErrors, { change = false } = {}): Html[] {
  const hint = change ? 'At least 8 characters. Empty: it stays as it is.' : 'At least 8 characters.'
  return [
    field({
      label: change ? 'New password' : 'Password',
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
      label: change ? 'New password again' : 'Password again',
      name: 'user[password_confirmation]',
      type: 'password',
      autocomplete: 'new-password',
      errors: errors['password_confirmation'],
      required: !change,
    }),
  ]
}

/** Fields that people do not see and programs that fill in everything do. */
const trap = (): Html =>
  html`<div class="trap" aria-hidden="true">
    <label>Leave this empty <input name="user[website]" value="" tabindex="-1" autocomplete="off" /></label>
    <label>And this <input name="user[confirm_password]" value="" tabindex="-1" autocomplete="off" /></label>
  </div>`
