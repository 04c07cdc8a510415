import { renderMarkdown } from '../../core/text/index.ts'
import { sitePictures, type SitePictureName } from '../../instance/index.ts'
import { TIMELINE_PREVIEW, type SettingKey } from '../../platform/settings/index.ts'
import {
  actionButton,
  field,
  filterLinks,
  form,
  hidden,
  Html,
  html,
  PREVIEW_SCRIPT,
  section,
  submit,
} from '../../platform/ui/index.ts'
import type { Staff, StaffPage } from '../index.ts'
import { formatEntry, settingField, labelKey } from './setting_field.ts'
import { settingsOn, PAGE_NAMES, pagePath, picturesOn, type PageName } from './page_contents.ts'
import { findVariable, type ParsedForm } from './parse_form.ts'

export const FIRST_PAGE_PATH = '/admin/settings/branding'
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/**
 * Submitted values that a page shows instead of the stored ones, after an error or for a preview.
 */
export interface PageState {
  readonly form?: ParsedForm
  /** The setting whose text is previewed. */
  readonly preview?: SettingKey
  /** The error of a rejected picture. */
  readonly picture?: { readonly name: SitePictureName; readonly error: string }
}

/** A page of settings. */
export async function settingsPage(staff: Staff, name: PageName, state: PageState = {}): Promise<StaffPage> {
  const { t } = staff
  const pictures = picturesOn(name)
  return {
    title: t('site_settings.title'),
    navigationPath: FIRST_PAGE_PATH,
    ...(pictures.length > 0 && { scripts: [PREVIEW_SCRIPT] }),
    body: [
      filterLinks(
        t('site_settings.pages'),
        PAGE_NAMES.map(page => ({ target: pagePath(page), label: t(`site_settings.${page}`), current: page === name })),
      ),
      html`<p>${t(`site_settings.${name}.intro`)}</p>`,
      state.preview && previewSection(staff, state.preview, state.form),
      name === 'access' && publicPreviewSection(staff),
      settingsForm(staff, name, state),
      pictures.length > 0 &&
        section('pictures', t('site_settings.pictures'), await pictureForms(staff, pictures, state)),
    ],
  }
}

function settingsForm(
  { context, webSession, translator, t }: Staff,
  name: PageName,
  { form: sentForm }: PageState,
): Html {
  const fields = settingsOn(name).map(key => {
    const entry = sentForm?.entries.get(key) ?? formatEntry(context.settings.get(key))
    const variable = findVariable(context.settings, key)
    return html`${settingField(translator, key, entry, sentForm?.errors.get(key))}
    ${variable !== undefined && html`<p class="below">${t(labelKey(key))}: ${t('site_settings.error.environment', { variable })}</p>`}`
  })
  // The Enter key presses the first button: without the hidden one, that would be a preview.
  return section('settings', t(`site_settings.${name}`), [
    form({ action: pagePath(name), method: 'put', csrfToken: webSession.csrfToken() }, [
      html`<button type="submit" hidden></button>`,
      fields,
      submit(t('site_settings.save')),
    ]),
  ])
}

function previewSection({ t, context }: Staff, key: SettingKey, sentForm: ParsedForm | undefined): Html {
  const text = (sentForm?.entries.get(key) ?? '').replaceAll('%{domain}', context.config.localDomain)
  return section('preview', t('site_settings.preview', { label: t(labelKey(key)) }), [
    html`<p class="notice">${t('site_settings.preview_notice')}</p>`,
    html`<div class="rich">${new Html(renderMarkdown(text))}</div>`,
  ])
}

/** The switch for the public preview of all four timelines, formerly one setting in Mastodon. */
function publicPreviewSection({ context, webSession, t }: Staff): Html {
  const publicCount = TIMELINE_PREVIEW.filter(key => context.settings.get(key) === 'public').length
  const state = publicCount === 0 ? 'off' : publicCount === TIMELINE_PREVIEW.length ? 'on' : 'partial'
  const button = (on: boolean): Html =>
    actionButton(
      {
        action: '/admin/settings/access/public_preview',
        csrfToken: webSession.csrfToken(),
        label: t(on ? 'site_settings.public_preview.turn_on' : 'site_settings.public_preview.turn_off'),
      },
      hidden('enabled', on ? '1' : '0'),
    )
  return section('public_preview', t('site_settings.public_preview'), [
    html`<p>${t(`site_settings.public_preview.${state}`)}</p>`,
    html`<div class="buttons">${state !== 'on' && button(true)}${state !== 'off' && button(false)}</div>`,
  ])
}

async function pictureForms(staff: Staff, names: readonly SitePictureName[], state: PageState): Promise<Html[]> {
  const { context, t, webSession } = staff
  const pictures = await sitePictures(context)()
  return names.map(name => {
    const urls = Object.values(pictures[name]?.urls ?? {})
    const url = urls.at(-1)
    const action = `/admin/settings/pictures/${name}`
    const error = state.picture?.name === name ? [state.picture.error] : undefined
    return html`<div class="site-picture">
      <h3>${t(`site_picture.${name}`)}</h3>
      ${
        url === undefined
          ? html`<p class="quiet">${t(name === 'mascot' ? 'site_picture.none' : 'site_picture.builtin')}</p>`
          : html`<img class="${name}" src="${url}" alt="${t('site_picture.current')}" />`
      }
      ${form({ action, csrfToken: webSession.csrfToken(), multipart: true }, [
        field({
          label: t('site_picture.file', { megabytes: MAX_PICTURE_BYTES / MEGABYTE }),
          name: 'file',
          id: `file_${name}`,
          type: 'file',
          accept: 'image/*',
          preview: t('ui.preview'),
          hint: t(`site_picture.${name}.hint`),
          errors: error,
        }),
        submit(t('site_picture.upload'), 'plain'),
      ])}
      ${
        url !== undefined &&
        actionButton({
          action,
          method: 'delete',
          csrfToken: webSession.csrfToken(),
          label: t('site_picture.remove'),
          kind: 'danger',
        })
      }
    </div>`
  })
}
