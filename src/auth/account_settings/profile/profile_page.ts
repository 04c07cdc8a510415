import type { Credentials } from '../../../accounts/index.ts'
import { LIMITS } from '../../../core/limits.ts'
import type { Viewer } from '../../../core/viewer.ts'
import type { Context, Response } from '../../../platform/http/index.ts'
import type { Translator } from '../../../platform/i18n/index.ts'
import { field, form, html, PREVIEW_SCRIPT, submit, textArea, toggle, type Html } from '../../../platform/ui/index.ts'
import type { WebSession } from '../../sessions/index.ts'
import type { FieldErrors } from '../../sign_up/index.ts'
import { settingsPage, type Refusal } from '../index.ts'

export const PATH = '/settings/profile'

const PICTURE_TYPES = 'image/jpeg,image/png,image/gif,image/webp'

/** The values of a refused form; undefined members are shown as stored. */
export interface ProfileDraft {
  readonly display_name?: string | undefined
  readonly note?: string | undefined
  readonly avatar_description?: string | undefined
  readonly header_description?: string | undefined
  readonly bot?: boolean | undefined
  readonly show_media?: boolean | undefined
  readonly show_media_replies?: boolean | undefined
  readonly show_featured?: boolean | undefined
  readonly fields_attributes?: readonly { name: string | undefined; value: string | undefined }[] | undefined
  readonly attribution_domains?: string | undefined
}

interface Parts {
  readonly translator: Translator
  readonly stored: Credentials
  readonly draft: ProfileDraft
  readonly errors: FieldErrors
  readonly urlOf: (key: string) => string
}

/** The form of the profile; after a refusal it shows the entered values. */
export function profilePage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  stored: Credentials,
  draft: ProfileDraft = {},
  refusal?: Refusal,
): Response {
  const { t } = webSession.translator
  const csrfToken = webSession.csrfToken()
  const errors = refusal?.fields ?? {}
  const parts: Parts = {
    translator: webSession.translator,
    stored,
    draft,
    errors,
    urlOf: key => context.storage.url(key),
  }
  const profileUrl = `${context.config.publicUrl}/@${viewer.username}`
  const backlink = `<a rel="me" href="${profileUrl}">@${viewer.username}</a>`
  const kinds = ['avatar', 'header'] as const
  const body = html`<p>${t('profile_settings.intro')} <a href="${profileUrl}">${t('profile_settings.look')}</a></p>
    ${form({ action: PATH, csrfToken, multipart: true }, [
      texts(parts),
      picture(parts, 'avatar'),
      picture(parts, 'header'),
      fields(parts),
      flags(parts),
      textArea({
        label: t('profile_settings.attribution'),
        name: 'account[attribution_domains]',
        value: draft.attribution_domains ?? stored.attribution_domains.join('\n'),
        hint: t('profile_settings.attribution_hint'),
        errors: errors['attribution_domains'],
        rows: 3,
      }),
      submit(t('account.save')),
    ])}
    ${kinds.filter(kind => stored[kind] !== null).map(kind => form({ action: `${PATH}/pictures/${kind}`, method: 'delete', csrfToken, id: `remove_${kind}` }, null))}
    <section>
      <h2>${t('profile_settings.verification')}</h2>
      <p>${t('profile_settings.verification_hint')}</p>
      <p class="code whole">${backlink}</p>
    </section>`
  const title = t('profile_settings.title')
  return settingsPage(context, webSession, viewer, {
    title,
    body,
    navigationPath: PATH,
    alert: refusal?.alert,
    scripts: [PREVIEW_SCRIPT],
  })
}

const texts = ({ translator: { t }, stored, draft, errors }: Parts): Html[] => [
  field({
    label: t('profile_settings.display_name'),
    name: 'account[display_name]',
    value: draft.display_name ?? stored.display_name,
    autocomplete: 'name',
    hint: t('profile_settings.at_most', { count: LIMITS.accounts.max_display_name_length }),
    errors: errors['display_name'],
  }),
  textArea({
    label: t('profile_settings.note'),
    name: 'account[note]',
    value: draft.note ?? stored.note,
    hint: t('profile_settings.note_hint', { count: LIMITS.accounts.max_note_length }),
    errors: errors['note'],
    rows: 6,
  }),
]

/** The current picture, with fields for a new one and its description. */
function picture({ translator: { t }, stored, draft, errors, urlOf }: Parts, kind: 'avatar' | 'header'): Html {
  const image = stored[kind]
  const description = stored[`${kind}_description`]
  return html`<fieldset>
    <legend>${t(`profile_settings.${kind}`)}</legend>
    ${
      image &&
      html`<img class="picture ${kind}" src="${urlOf(image.static_key)}" alt="${description}" />
        <p>${submit(t(`profile_settings.remove_${kind}`), 'plain', `remove_${kind}`)}</p>`
    }
    ${field({
      label: t(image ? 'profile_settings.replace' : 'profile_settings.choose'),
      name: `account[${kind}]`,
      type: 'file',
      accept: PICTURE_TYPES,
      preview: t('ui.preview'),
      hint: t(`profile_settings.${kind}_hint`),
      errors: errors[kind],
    })}
    ${field({
      label: t('profile_settings.description'),
      name: `account[${kind}_description]`,
      value: draft[`${kind}_description`] ?? description,
      hint: t('profile_settings.description_hint', { count: LIMITS.accounts.max_avatar_description_length }),
      errors: errors[`${kind}_description`],
    })}
  </fieldset>`
}

/** The fields with marks for verified ones. */
function fields({ translator: { t }, stored, draft, errors }: Parts): Html {
  const entries = draft.fields_attributes ?? stored.fields
  const rows = Array.from({ length: Math.max(LIMITS.accounts.max_profile_fields, entries.length) }, (_, index) => {
    const { name = '', value = '' } = entries[index] ?? {}
    const verifiedAt = stored.fields.find(one => one.value === value && value !== '')?.verified_at
    const of = (part: string): string => `account[fields_attributes][${index}][${part}]`
    return html`<div class="pair">
      ${field({ label: t('profile_settings.field_name', { number: index + 1 }), name: of('name'), value: name })}
      ${field({ label: t('profile_settings.field_value', { number: index + 1 }), name: of('value'), value, verbatim: true })}
      ${typeof verifiedAt === 'string' && html`<p class="verified">✓ ${t('profile_settings.verified', { date: verifiedAt.slice(0, 10) })}</p>`}
    </div>`
  })
  return html`<fieldset>
    <legend>${t('profile_settings.fields')}</legend>
    <p class="hint">${t('profile_settings.fields_hint')}</p>
    ${errors['fields'] && html`<p class="error">${errors['fields'].join(', ')}</p>`} ${rows}
  </fieldset>`
}

const flags = ({ translator: { t }, stored, draft }: Parts): Html[] =>
  (['show_media', 'show_media_replies', 'show_featured', 'bot'] as const).map(name =>
    toggle({
      label: t(`profile_settings.${name}`),
      name: `account[${name}]`,
      checked: draft[name] ?? stored[name],
      ...(name === 'bot' && { hint: t('profile_settings.bot_hint') }),
    }),
  )
