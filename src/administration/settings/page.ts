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
import { entryOf, input, labelOf } from './input.ts'
import { keysOn, PAGE_NAMES, pathOf, picturesOn, type PageName } from './pages.ts'
import type { ReadForm } from './read_form.ts'

export const PLACE = '/admin/settings/branding'
export const PICTURE_BYTES = 8 * 1024 * 1024
const MEGABYTE = 1024 * 1024

/** Values that a page shows instead of the stored ones, after a refused form. */
export interface Shown {
  readonly form?: ReadForm
  /** The text that is previewed. */
  readonly preview?: SettingKey
  /** Why a picture was refused. */
  readonly picture?: { readonly name: SitePictureName; readonly error: string }
}

/** A page of settings. */
export async function settingsPage(staff: Staff, name: PageName, shown: Shown = {}): Promise<StaffPage> {
  const { t } = staff
  const pictures = picturesOn(name)
  return {
    title: t('site_settings.title'),
    place: PLACE,
    ...(pictures.length > 0 && { scripts: [PREVIEW_SCRIPT] }),
    body: [
      filterLinks(
        t('site_settings.pages'),
        PAGE_NAMES.map(page => ({ target: pathOf(page), label: t(`site_settings.${page}`), current: page === name })),
      ),
      html`<p>${t(`site_settings.${name}.intro`)}</p>`,
      shown.preview && preview(staff, shown.preview, shown.form),
      name === 'access' && publicPreview(staff),
      settingsForm(staff, name, shown),
      pictures.length > 0 &&
        section('pictures', t('site_settings.pictures'), await pictureForms(staff, pictures, shown)),
    ],
  }
}

function settingsForm({ context, webSession, translator, t }: Staff, name: PageName, { form: sent }: Shown): Html {
  const fields = keysOn(name).map(key =>
    input(translator, key, sent?.entries.get(key) ?? entryOf(context.settings.get(key)), sent?.errors.get(key)),
  )
  // The first button is what the Enter key presses: without it that would be a preview.
  return section('settings', t(`site_settings.${name}`), [
    form({ action: pathOf(name), method: 'put', csrfToken: webSession.csrfToken() }, [
      html`<button type="submit" hidden></button>`,
      fields,
      submit(t('site_settings.save')),
    ]),
  ])
}

function preview({ t, context }: Staff, key: SettingKey, sent: ReadForm | undefined): Html {
  const text = (sent?.entries.get(key) ?? '').replaceAll('%{domain}', context.config.localDomain)
  return section('preview', t('site_settings.preview', { label: t(labelOf(key)) }), [
    html`<p class="notice">${t('site_settings.preview_notice')}</p>`,
    html`<div class="rich">${new Html(renderMarkdown(text))}</div>`,
  ])
}

/** The switch for all four timelines, which Mastodon once had as one setting. */
function publicPreview({ context, webSession, t }: Staff): Html {
  const shown = TIMELINE_PREVIEW.filter(key => context.settings.get(key) === 'public').length
  const state = shown === 0 ? 'off' : shown === TIMELINE_PREVIEW.length ? 'on' : 'partial'
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

async function pictureForms(staff: Staff, names: readonly SitePictureName[], shown: Shown): Promise<Html[]> {
  const { context, t, webSession } = staff
  const own = await sitePictures(context)()
  return names.map(name => {
    const urls = Object.values(own[name]?.urls ?? {})
    const url = urls.at(-1)
    const action = `/admin/settings/pictures/${name}`
    const error = shown.picture?.name === name ? [shown.picture.error] : undefined
    return html`<div class="site-picture">
      <h3>${t(`site_picture.${name}`)}</h3>
      ${
        url === undefined
          ? html`<p class="quiet">${t(name === 'mascot' ? 'site_picture.none' : 'site_picture.builtin')}</p>`
          : html`<img class="${name}" src="${url}" alt="${t('site_picture.current')}" />`
      }
      ${form({ action, csrfToken: webSession.csrfToken(), multipart: true }, [
        field({
          label: t('site_picture.file', { megabytes: PICTURE_BYTES / MEGABYTE }),
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
